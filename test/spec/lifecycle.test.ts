// Points of seed 001, each with an input of its own: when a session is compacted or pruned, and how.
import { describe, expect, test } from "vitest";
import { builtInRules, type Lifecycle } from "../../src/index.js";
import {
  aggregateDifferences,
  chooseLifecycle,
  clearPruned,
  createCompaction,
  estimateTokens,
  filterCompacted,
  findPrunable,
  type HostMessage,
  type HostPart,
  isOverflow,
  messageTitle,
  nextStep,
  prune,
  runCompaction,
  toCompactionPrompt,
} from "../../src/lifecycle/index.js";
import { memoryHost } from "../lifecycle/memory-host.js";

const { rules } = builtInRules();
const choose = (choice: Parameters<typeof chooseLifecycle>[1] = {}) => chooseLifecycle(rules, choice) as Lifecycle;
const classic = choose();
const opencode = choose({ name: "opencode" });
const MODEL = { providerID: "acme", modelID: "large" };
const limit = (context: number, output = 0, input = 0) => ({ limit: { context, output, input } });

let count = 0;
const message = (role: string, parts: readonly Partial<HostPart>[] = [], more: object = {}): HostMessage => {
  const id = `msg-${++count}`;
  const info = { id, role, sessionID: "ses", ...more };
  return { info, parts: parts.map((part, at) => ({ type: "text", id: `${id}-${at}`, messageID: id, ...part })) };
};
const user = (text = "Next, please.", more: object = {}) =>
  message("user", [{ text }], { agent: "build", model: MODEL, ...more });
const tool = (name: string, characters: number, more: object = {}) =>
  ({ type: "tool", tool: name, state: { status: "completed", output: "y".repeat(characters), ...more } }) as Partial<HostPart>;
const ids = (messages: readonly HostMessage[]) => messages.map(({ info }) => info.id);

describe("overflow", () => {
  test.each([
    ["S1-2: automatic compaction is off", { input: 999_999 }, limit(100_000), { auto: false }, false],
    ["S1-2: a model without a limit", { input: 999_999 }, limit(0), {}, false],
    ["S1-2: exactly full is not over", { input: 60_000, output: 2_000, cache: { read: 6_000 } }, limit(100_000), {}, false],
    ["S1-2: one token more is", { input: 60_000, output: 2_001, cache: { read: 6_000 } }, limit(100_000), {}, true],
    ["S1-2: a small answer leaves more room", { input: 95_000 }, limit(100_000, 4_000), {}, false],
    ["S1-2: the input's own limit counts", { input: 50_001 }, limit(100_000, 4_000, 50_000), {}, true],
    [
      "S1-3: thoughts and written caches do not count",
      { input: 1, reasoning: 90_000, cache: { write: 90_000 } },
      limit(100_000),
      {},
      false,
    ],
    ["S1-4: no negative room, and nothing at zero tokens", {}, limit(8_000, 16_000), {}, false],
  ] as const)("%s", (_, tokens, model, settings, expected) => {
    expect(isOverflow({ tokens, model }, choose({ settings }))).toBe(expected);
  });

  test("S1-5: OpenCode of today counts what is full as over, keeps a reserve, and trusts the total", () => {
    const model = limit(200_000, 10_000, 120_000);
    expect(isOverflow({ tokens: { input: 110_000 }, model }, opencode)).toBe(true);
    expect(isOverflow({ tokens: { input: 109_999 }, model }, opencode)).toBe(false);
    expect(isOverflow({ tokens: { input: 1, total: 110_000 }, model }, opencode)).toBe(true);
    expect(isOverflow({ tokens: { input: 110_000 }, model }, choose({ name: "opencode", settings: { reserved: 5 } }))).toBe(
      false,
    );
  });
});

describe("pruning", () => {
  const turns = (...parts: readonly Partial<HostPart>[]) => [
    user(),
    message("assistant", parts),
    user(),
    message("assistant"),
    user(),
  ];

  test("S1-1, S1-6, S1-10: what is beyond the protected 40,000 tokens is marked, the straddling part whole", () => {
    const found = findPrunable(turns(tool("bash", 100_000), tool("grep", 80_000), tool("read", 120_000)), classic);
    expect(found).toMatchObject({ pruned: 45_000, total: 75_000 });
    expect(found.parts.map(({ tool: name }) => name)).toEqual(["grep", "bash"]);
  });

  test("S1-7: nothing when it is off", () => {
    const messages = turns(tool("bash", 400_000));
    expect(findPrunable(messages, choose({ settings: { prune: false } })).parts).toEqual([]);
  });

  test("S1-8: the last two turns are left alone", () => {
    const messages = [user(), message("assistant", [tool("bash", 400_000)]), user()];
    expect(findPrunable(messages, classic)).toMatchObject({ parts: [], total: 0 });
  });

  test("S1-9, S1-12: nothing before a summary or a part that is pruned already", () => {
    const summary = message("assistant", [], { summary: true });
    const old = message("assistant", [tool("bash", 400_000)]);
    expect(findPrunable([old, summary, ...turns(tool("read", 10))], classic).parts).toEqual([]);
    const cleared = message("assistant", [tool("ls", 4, { time: { compacted: 7 } })]);
    expect(findPrunable([old, cleared, ...turns(tool("read", 10))], classic).parts).toEqual([]);
  });

  test("S1-10: skills and failed calls are not counted", () => {
    const failed = { type: "tool", tool: "bash", state: { status: "error", output: "z".repeat(400_000) } };
    expect(findPrunable(turns(tool("skill", 400_000), failed), classic)).toMatchObject({ parts: [], total: 0 });
  });

  test("S1-11: exactly 20,000 tokens are not worth it, and what is marked is stored", async () => {
    const few = turns(tool("bash", 80_000), tool("read", 160_000));
    expect(findPrunable(few, classic)).toMatchObject({ pruned: 20_000 });
    const still = memoryHost(few);
    await prune(still, "ses", classic);
    expect(still.stored).toEqual([]);
    const host = memoryHost(turns(tool("bash", 80_004), tool("read", 160_000)));
    await prune(host, "ses", classic);
    expect(host.stored).toEqual([
      expect.objectContaining({ tool: "bash", state: expect.objectContaining({ time: { compacted: 1 } }) }),
    ]);
  });

  test("S1-13: four characters are a token, rounded", () => {
    expect([undefined, "", "ab", "abcde", "語語語語語語"].map((text) => estimateTokens(text, classic))).toEqual([0, 0, 1, 1, 2]);
  });

  test("S1-14: OpenCode of today prunes only when asked to, and says that an output is gone", () => {
    const messages = turns(tool("bash", 400_000));
    expect(findPrunable(messages, opencode).parts).toEqual([]);
    const [shown] = clearPruned([message("assistant", [tool("bash", 9, { time: { compacted: 1 } })])], opencode);
    expect(shown?.parts[0]?.state?.output).toBe("[Old tool result content cleared]");
  });
});

describe("a compaction", () => {
  const asked = () => [user("Draw the map."), message("assistant", [{ text: "Drawn." }], { finish: "stop" })];
  const task = { sessionID: "ses", agent: "build", model: MODEL, auto: true };

  test("S1-15, S1-18, S1-19, S1-25, S1-26, S1-28: is stored as a message, gets its summary, goes on and is told", async () => {
    const host = memoryHost(asked(), async () => ({ text: "The map is drawn." }));
    await createCompaction(host, task);
    expect(host.session.at(-1)?.parts).toEqual([
      { id: expect.any(String), messageID: host.session.at(-1)?.info.id, sessionID: "ses", type: "compaction", auto: true },
    ]);
    expect(await nextStep(host, { sessionID: "ses", model: limit(100_000) }, classic)).toBe("compacted");
    const [summary, next] = host.session.slice(-2);
    expect(summary?.info).toMatchObject({ role: "assistant", mode: "compaction", agent: "compaction", summary: true, ...MODEL });
    expect(summary?.parts).toMatchObject([{ type: "text", text: "The map is drawn." }]);
    expect(next?.parts).toMatchObject([{ text: "Continue if you have next steps", synthetic: true }]);
    expect(host.requests[0]?.system).toMatch(/^Provide a detailed but concise summary of the conversation\./);
    expect(host.events).toEqual([{ type: "session.compacted", properties: { sessionID: "ses" } }]);
  });

  test("S1-16, S1-17: the prompt of a plugin replaces all, else what plugins add follows the default one", () => {
    expect(toCompactionPrompt({ prompt: "Only this.", context: ["not me"] }, classic)).toBe("Only this.");
    const [first, ...rest] = toCompactionPrompt({ context: ["Also", "this"] }, classic).split("\n\n");
    expect(first).toMatch(/^Provide a detailed prompt for continuing our conversation above\..*access to our conversation\.$/);
    expect(rest).toEqual(["Also", "this"]);
  });

  test("S1-20: stops without an event when the model fails", async () => {
    const host = memoryHost(asked(), () => Promise.reject(new Error("rate limit")));
    await createCompaction(host, task);
    const parentID = host.session.at(-1)?.info.id as string;
    const messages = await host.messages("ses");
    expect(await runCompaction(host, { sessionID: "ses", parentID, messages, auto: true } as never, classic)).toBe("stop");
    expect(host.events).toEqual([]);
  });

  test("S1-21, S1-22: with the rules of today a recent tail stays, and the plugin is asked before the model", async () => {
    const host = memoryHost([
      user("Draw. ".repeat(20_000)),
      ...asked(),
      user("Colour it."),
      message("assistant", [{ text: "Coloured." }], { finish: "stop" }),
    ]);
    const told: string[] = [];
    const compacting = (_: object, output: { context: string[] }) => {
      told.push(`plugin after ${host.requests.length} requests`);
      output.context.push("The sea is blue.");
    };
    await createCompaction(host, task);
    expect(await nextStep({ ...host, compacting }, { sessionID: "ses", model: limit(100_000, 8_000) }, opencode)).toBe(
      "compacted",
    );
    expect(told).toEqual(["plugin after 0 requests"]);
    expect(host.requests[0]?.prompt).toMatch(/\n\nThe sea is blue\.$/);
    const part = host.session.flatMap(({ parts }) => parts).find(({ type }) => type === "compaction");
    expect(part?.tail_start_id).toBeDefined();
    expect(opencode.continue).toContain("stop and ask for clarification");
  });

  test("S1-27: a waiting compaction comes first, then a full session, and a summary is never full", async () => {
    const tokens = { input: 99_000, output: 1 };
    const full = [user(), message("assistant", [], { finish: "stop", tokens })];
    const turn = { sessionID: "ses", model: limit(100_000) };
    expect(await nextStep(memoryHost(full), turn, classic)).toBe("requested");
    const summary = [user(), message("assistant", [{ text: "S" }], { finish: "stop", tokens, summary: true })];
    expect(await nextStep(memoryHost(summary), turn, classic)).toBe("proceed");
  });
});

describe("what stays in view", () => {
  const asking = user("", {});
  const request = { ...asking, parts: [{ type: "compaction", id: "c", auto: false }] };
  const summary = (more: object) => message("assistant", [{ text: "S" }], { summary: true, parentID: asking.info.id, ...more });

  test("S1-23: everything from the newest finished compaction on", async () => {
    const done = summary({ finish: "stop" });
    const last = user("Go on.");
    expect(ids(await filterCompacted([last, done, request, user("old")], classic))).toEqual(ids([request, done, last]));
  });

  test("S1-24: a summary that is not finished hides nothing; one with an error does so only for the classic rules", async () => {
    const old = user("old");
    const half = summary({});
    expect(ids(await filterCompacted([half, request, old], classic))).toEqual(ids([old, request, half]));
    const wrong = summary({ finish: "stop", error: { name: "Aborted" } });
    expect(ids(await filterCompacted([wrong, request, old], classic))).toEqual(ids([request, wrong]));
    expect(ids(await filterCompacted([wrong, request, old], opencode))).toEqual(ids([old, request, wrong]));
  });
});

test("S1-29: differences are one for each file, and a message has a title", () => {
  const first = { file: "map.ts", before: "a\n", after: "a\nb\n", additions: 1, deletions: 0 };
  const then = { file: "map.ts", before: "a\nb\n", after: "b\n", additions: 0, deletions: 1 };
  expect(aggregateDifferences([first, then])).toMatchObject([
    { file: "map.ts", before: "a\n", after: "b\n", additions: 1, deletions: 1 },
  ]);
  expect(messageTitle(user("Draw the map of the harbour."), classic)).toContain("Draw the map");
});

test("S1-30, S1-31: both are on unless a setting or the environment says otherwise, and the environment wins", () => {
  expect(classic).toMatchObject({ auto: true, prune: true });
  const environment = { OPENCODE_DISABLE_AUTOCOMPACT: "TRUE", OPENCODE_DISABLE_PRUNE: "on" };
  expect(choose({ settings: { auto: true, prune: true }, environment })).toMatchObject({ auto: false, prune: true });
});
