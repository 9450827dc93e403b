import { describe, expect, test } from "vitest";
import { builtInRules, type Lifecycle } from "../../src/index.js";
import {
  chooseLifecycle,
  clearPruned,
  compactWhenFull,
  createCompaction,
  type Host,
  type HostMessage,
  messagesInView,
  messageTitle,
  nextStep,
  prune,
  runCompaction,
  type Summary,
  titleMessages,
} from "../../src/lifecycle/index.js";
import { memoryHost } from "./memory-host.js";

const { rules } = builtInRules();
const lifecycle = (name: string) => chooseLifecycle(rules, { name }) as Lifecycle;
const classic = lifecycle("classic");
const opencode = lifecycle("opencode");

const name = { providerID: "p", modelID: "m" };
const model = { limit: { context: 100_000, output: 32_000 } };
const turn = { sessionID: "s", model };

const user = (id: string, text = id): HostMessage => ({
  info: { id, role: "user", sessionID: "s", agent: "build", model: name },
  parts: [{ id: `${id}-text`, type: "text", text }],
});
const assistant = (id: string, parentID: string, input = 1_000, text = id): HostMessage => ({
  info: { id, role: "assistant", sessionID: "s", parentID, finish: "stop", tokens: { input, output: 0 } },
  parts: [{ id: `${id}-text`, type: "text", text }],
});
const full = [user("u1"), assistant("a1", "u1"), user("u2"), assistant("a2", "u2", 90_000)];
const ids = (messages: readonly HostMessage[]) => messages.map(({ info }) => info.id);

test("stops and stores why when the host cannot say what its agent is", async () => {
  const host = memoryHost(full, async () => ({ text: "all that was" }));
  const broken: Host = {
    ...host,
    agent: () => {
      throw new Error("no such agent");
    },
  };
  expect(await compactWhenFull(broken, turn, classic)).toBe("stop");
  expect(host.requests).toEqual([]);
  expect(host.session.at(-1)?.info).toMatchObject({
    summary: true,
    error: { name: "SummaryFailed", data: { message: "no such agent" } },
  });
});

describe.each([
  ["classic", classic, "Continue if you have next steps"],
  ["opencode", opencode, "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."],
])("%s", (_, one, text) => {
  test("goes on when a session is not full", async () => {
    const host = memoryHost(full.slice(0, 3));
    expect(await nextStep(host, turn, one)).toBe("proceed");
    expect(host.stored).toEqual([]);
  });

  test("asks for a compaction, carries it out and goes on when a session is full", async () => {
    const host = memoryHost(full, async () => ({ text: "all that was", tokens: { input: 7, output: 3 }, cost: 0.5 }));
    expect(await nextStep(host, turn, one)).toBe("requested");
    expect(host.session.at(-1)).toEqual({
      info: { id: "new-message-1", role: "user", sessionID: "s", agent: "build", model: name, time: { created: 1 } },
      parts: [{ id: "new-part-2", messageID: "new-message-1", sessionID: "s", type: "compaction", auto: true }],
    });
    expect(host.events).toEqual([]);
    expect(await nextStep(host, { ...turn, path: { cwd: "/p", root: "/p" } }, one)).toBe("compacted");
    expect(host.requests).toMatchObject([{ sessionID: "s", parentID: "new-message-1", model: name, auto: true }]);
    expect(ids(host.requests[0]?.messages ?? [])).toEqual(["u1", "a1", "u2", "a2"]);
    const [summary, proceed] = host.session.slice(-2);
    expect(summary?.info).toEqual({
      id: "new-message-3",
      role: "assistant",
      parentID: "new-message-1",
      sessionID: "s",
      mode: "compaction",
      agent: "compaction",
      summary: true,
      path: { cwd: "/p", root: "/p" },
      cost: 0.5,
      tokens: { input: 7, output: 3 },
      ...name,
      finish: "stop",
      time: { created: 2, completed: 3 },
    });
    expect(summary?.parts).toMatchObject([{ type: "text", text: "all that was" }]);
    expect(proceed?.parts).toMatchObject([{ type: "text", text, synthetic: true }]);
    expect(host.events).toEqual([{ type: "session.compacted", properties: { sessionID: "s" } }]);
    expect(await nextStep(host, turn, one)).toBe("proceed");
    expect(ids(messagesInView(host.session, one))).toEqual(["new-message-1", "new-message-3", "new-message-5"]);
  });

  test("what the user asks for is not continued by itself", async () => {
    const host = memoryHost(full.slice(0, 2));
    await createCompaction(host, { sessionID: "s", agent: "build", model: name, auto: false });
    expect(await compactWhenFull(host, turn, one)).toBe("proceed");
    expect(host.session.at(-1)?.info.summary).toBe(true);
    expect(host.events).toHaveLength(1);
  });

  test.each<readonly [unknown, string]>([
    [undefined, "sessionID must be a text"],
    [{ auto: true }, "sessionID must be a text"],
    [{ sessionID: "", auto: true }, "sessionID must be a text"],
    [{ sessionID: "s" }, "auto must be true or false"],
    [{ sessionID: "s", auto: "yes" }, "auto must be true or false"],
    [{ sessionID: "s", auto: true, agent: 7 }, "agent must be a text"],
    [{ sessionID: "s", auto: true, model: "gpt" }, "model must be { providerID, modelID }"],
    [{ sessionID: "s", auto: true, model: { providerID: "p" } }, "model must be { providerID, modelID }"],
    [{ sessionID: "s", auto: true, model: null }, "model must be { providerID, modelID }"],
  ])("a request %j is refused, and nothing is stored", async (request, message) => {
    const host = memoryHost(full.slice(0, 2));
    await expect(createCompaction(host, request as never)).rejects.toThrow(new TypeError(message));
    expect(host.stored).toEqual([]);
  });

  test.each<readonly [string, () => Promise<Summary>, object]>([
    ["throws", () => Promise.reject(new Error("no credit")), { name: "SummaryFailed", data: { message: "no credit" } }],
    ["says nothing", async () => ({ text: " \n" }), { name: "SummaryEmpty", data: { message: "the summary is empty" } }],
    ...[undefined, null, {}, "a summary", { text: 7 }].map(
      (answer) =>
        [
          `answers ${JSON.stringify(answer)}`,
          async () => answer as never,
          { name: "SummaryFailed", data: { message: "summarise answered without a text" } },
        ] as const,
    ),
  ])("a model that %s stops the turn, and the session stays as it was", async (_, summarise, error) => {
    const host = memoryHost(full, summarise);
    expect(await compactWhenFull(host, turn, one)).toBe("stop");
    expect(host.events).toEqual([]);
    expect(host.session.at(-1)?.info).toMatchObject({ summary: true, error });
    expect(host.session.at(-1)?.info.finish).toBeUndefined();
    expect(ids(messagesInView(host.session, one)).slice(0, 4)).toEqual(["u1", "a1", "u2", "a2"]);
    // Each later turn has one more try, and no more than one.
    expect(await nextStep(host, turn, one)).toBe("requested");
    expect(await nextStep(host, turn, one)).toBe("stop");
  });

  test("a user who gives up is not held by a model that never answers", async () => {
    const abort = new AbortController();
    const host = memoryHost(full, () => {
      setTimeout(() => abort.abort(), 5);
      return new Promise(() => {});
    });
    expect(await compactWhenFull(host, { ...turn, abort: abort.signal }, one)).toBe("stop");
    expect(host.session.at(-1)?.info.error).toEqual({ name: "SummaryAborted", data: { message: "it was given up" } });
    expect(host.events).toEqual([]);
  });

  test("what the user says while a compaction is open is neither lost nor answered for him", async () => {
    const host = memoryHost(full);
    await nextStep(host, turn, one);
    host.session.push({ ...user("u3"), parts: [...user("u3").parts] });
    expect(await nextStep(host, turn, one)).toBe("compacted");
    expect(ids(host.requests[0]?.messages ?? [])).toEqual(["u1", "a1", "u2", "a2"]);
    expect(ids(messagesInView(host.session, one))).toEqual(["new-message-1", "u3", "new-message-3"]);
    expect(await nextStep(host, turn, one)).toBe("proceed");
  });

  test("a compaction that broke off is tried again", async () => {
    const host = memoryHost(full);
    await nextStep(host, turn, one);
    await host.updateMessage({ id: "broken", role: "assistant", parentID: "new-message-1", summary: true });
    expect(await nextStep(host, turn, one)).toBe("compacted");
  });

  test("stops when the host stores nothing", async () => {
    const host = { ...memoryHost(full), updateMessage: async () => {}, updatePart: async () => {} };
    expect(await compactWhenFull(host, turn, one)).toBe("stop");
  });

  test("throws when the request does not exist", async () => {
    const task = { ...turn, parentID: "gone", messages: full, auto: true };
    await expect(runCompaction(memoryHost(full), task, one)).rejects.toThrow(RangeError);
  });
});

describe("the tail", () => {
  const long = "x".repeat(4_000);
  const session = [user("u1", long), assistant("a1", "u1", 1, long), user("u2", long), assistant("a2", "u2", 90_000, long)];
  const compacted = async (tokens: number, turns?: number) => {
    const settings = { preserve_recent_tokens: tokens, ...(turns !== undefined && { tail_turns: turns }) };
    const one = chooseLifecycle(rules, { name: "opencode", settings }) as Lifecycle;
    const host = memoryHost(session);
    await compactWhenFull(host, turn, one);
    return { head: ids(host.requests[0]?.messages ?? []), view: ids(messagesInView(host.session, one)) };
  };
  const [request, summary, proceed] = ["new-message-1", "new-message-3", "new-message-5"];

  test.each([
    ["whole turns", 2_000, undefined, ["u1", "a1"], ["u2", "a2"]],
    ["no half of a turn beside a whole one", 3_500, undefined, ["u1", "a1"], ["u2", "a2"]],
    ["a part of a turn that is too long", 1_500, undefined, ["u1", "a1", "u2"], ["a2"]],
    ["nothing where nothing fits", 500, undefined, ["u1", "a1", "u2", "a2"], []],
    ["nothing where everything would", 9_000, undefined, ["u1", "a1", "u2", "a2"], []],
    ["as many turns as wanted", 9_000, 1, ["u1", "a1"], ["u2", "a2"]],
    ["nothing where none is wanted", 2_000, 0, ["u1", "a1", "u2", "a2"], []],
  ])("keeps %s", async (_, tokens, turns, head, tail) => {
    expect(await compacted(tokens, turns)).toEqual({ head, view: [request, summary, ...tail, proceed] });
  });

  test("reaches behind an earlier compaction, and hides it", () => {
    const request = (id: string): HostMessage => ({
      ...user(id),
      parts: [{ type: "compaction", auto: true, tail_start_id: "u2" }],
    });
    const summary = (id: string, parentID: string): HostMessage => ({
      info: { ...assistant(id, parentID).info, summary: true },
      parts: [],
    });
    const later = [request("c0"), summary("s0", "c0"), user("u3"), request("c1"), summary("s1", "c1"), user("u4")];
    expect(ids(messagesInView([...session, ...later], opencode))).toEqual(["c1", "s1", "u2", "a2", "u3", "u4"]);
    expect(ids(messagesInView([...session, ...later], classic))).toEqual(["c1", "s1", "u4"]);
  });

  test("the full answer in the tail does not ask for the next compaction", async () => {
    const one = chooseLifecycle(rules, { name: "opencode", settings: { preserve_recent_tokens: 2_000 } }) as Lifecycle;
    const host = memoryHost(session);
    await compactWhenFull(host, turn, one);
    expect(await nextStep(host, turn, one)).toBe("proceed");
  });
});

test("pruned outputs are stored with a mark, oldest first, and the model reads a note instead", async () => {
  const outputs = [50_000, 30_000, 200_000].map((length, index) => ({
    id: `t${index}`,
    messageID: "a1",
    type: "tool",
    tool: "bash",
    state: { status: "completed", output: "x".repeat(length), time: { start: 5 } },
  }));
  const host = memoryHost([user("u1"), { ...assistant("a1", "u1"), parts: outputs }, user("u2"), user("u3")]);
  const found = await prune(host, "s", classic);
  expect(found.parts.map(({ id }) => id)).toEqual(["t2", "t1", "t0"]);
  expect(host.stored).toMatchObject(["t0", "t1", "t2"].map((id) => ({ id, state: { time: { start: 5, compacted: 1 } } })));
  const [, shown] = clearPruned(host.session, classic);
  expect(shown?.parts.map(({ state }) => state?.output)).toEqual(outputs.map(() => "[Old tool result content cleared]"));
  expect(host.session[1]?.parts[2]?.state?.output).toHaveLength(200_000);
});

describe("the request for a summary", () => {
  const [FIRST, AGENT] = ["Provide a detailed prompt for continuing our", "Provide a detailed but concise summary of the"];
  const requestOf = async (more: Partial<Host>) => {
    const host = { ...memoryHost(full), ...more };
    expect(await compactWhenFull(host, turn, classic)).toBe("proceed");
    return { request: host.requests[0], summary: host.session.at(-2)?.info };
  };

  test("is the default prompt, with the agent's directive and the user's model", async () => {
    const { request } = await requestOf({});
    expect(request?.prompt).toBe(
      "Provide a detailed prompt for continuing our conversation above. Focus on information that would be helpful for continuing the conversation, including what we did, what we're doing, which files we're working on, and what we're going to do next considering new session will not have access to our conversation.",
    );
    expect(request?.system).toMatch(
      /^Provide a detailed but concise summary of the conversation\.\n\nCapture:\n- Completed actions[\s\S]+quickly understood\.$/,
    );
    expect(request?.model).toEqual(name);
  });

  test("has the contexts of a hook behind it", async () => {
    const { request } = await requestOf({ compacting: async (_, { context }) => context.push("Keep A.", "Keep B.") });
    expect(request?.prompt).toMatch(/^Provide a detailed prompt .*\.\n\nKeep A\.\n\nKeep B\.$/);
  });

  test("is the prompt of a hook instead, without contexts", async () => {
    const { request } = await requestOf({
      compacting: (_, output) => Object.assign(output, { context: ["A"], prompt: "Say B." }),
    });
    expect(request?.prompt).toBe("Say B.");
  });

  test("is the default one where the hook fails", async () => {
    const compacting: Host["compacting"] = (_, { context }) => {
      context.push("half");
      throw new Error("no");
    };
    expect((await requestOf({ compacting })).request?.prompt).toMatch(/conversation\.$/);
  });

  test("goes to the agent's model, with its directive", async () => {
    const own = { providerID: "q", modelID: "small" };
    const asked: string[] = [];
    const agent = async (name: string) => {
      asked.push(name);
      return { model: own, prompt: "Be brief." };
    };
    const { request, summary } = await requestOf({ agent });
    expect(asked).toEqual(["compaction"]);
    expect(request).toMatchObject({ model: own, system: "Be brief.", prompt: expect.stringContaining(FIRST) });
    expect(summary).toMatchObject({ ...own, agent: "compaction", mode: "compaction" });
  });

  test("goes to the user's model where the agent has none", async () => {
    const { request } = await requestOf({ agent: async () => undefined });
    expect(request).toMatchObject({ model: name, system: expect.stringContaining(AGENT) });
  });
});

describe("titles", () => {
  const long = "Please find out why the import of the large customer file takes so long";
  const titles = (host: { readonly session: readonly HostMessage[] }) =>
    host.session.map(({ info }) => (info.summary as { title?: string } | undefined)?.title);
  const session = [
    user("u1", "\n Fix  the login.\nIt is broken."),
    assistant("a1", "u1"),
    { ...user("u2", long), info: { ...user("u2").info, summary: { diffs: [] } } },
    { ...user("u3"), info: { ...user("u3").info, summary: { title: "Kept" } } },
    { ...user("u4"), parts: [{ type: "text", text: "Continue", synthetic: true }] },
  ];

  test("are the start of what the user typed, cut at a word", async () => {
    const host = memoryHost(session);
    await titleMessages(host, "s", classic);
    const wanted = ["Fix the login.", undefined, "Please find out why the import of the large …", "Kept", undefined];
    expect(titles(host)).toEqual(wanted);
    expect(host.session[2]?.info.summary).toMatchObject({ diffs: [] });
    expect(session.map((message) => messageTitle(message, classic))).toEqual(wanted);
    const before = host.stored.length;
    await titleMessages(host, "s", classic);
    expect(host.stored).toHaveLength(before);
  });

  test("are what a model writes, unless it fails or says nothing", async () => {
    const title = async (text: string) => {
      if (text === long) throw new Error("no credit");
      return "Broken\nlogin";
    };
    const host = memoryHost(session);
    await titleMessages({ ...host, title }, "s", classic);
    expect(titles(host).slice(0, 3)).toEqual(["Broken login", undefined, "Please find out why the import of the large …"]);
  });
});
