import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";

const lines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const read = (...records: readonly object[]) => readSession(lines(records), "name");
const messagesOf = (...records: readonly object[]) => read(...records).session.messages;

const time = "2026-01-02T03:04:05.000Z";
const user = (uuid: string, content: unknown, more: object = {}) => ({
  ...{ type: "user", uuid, parentUuid: null, sessionId: "s-1", timestamp: time, isSidechain: false },
  ...{ message: { role: "user", content } },
  ...more,
});
const assistant = (uuid: string, id: string | undefined, content: readonly object[], more: object = {}) => ({
  ...{ type: "assistant", uuid, sessionId: "s-1", timestamp: time, message: { id, role: "assistant", content } },
  ...more,
});
const text = (said: string) => ({ type: "text", text: said });
const use = (id: string, name = "Bash") => ({ type: "tool_use", id, name, input: { command: id } });
const result = (id: string, content: unknown, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content, ...more });

const outputs = (...records: readonly object[]) =>
  messagesOf(...records).flatMap(({ toolCalls }) =>
    toolCalls.map(({ input, output }) => [(input as { command: string }).command, output]),
  );
const runs = (command: string, id?: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
const told = (content: string, id?: string) => ({ type: "tool_result", tool_use_id: id, content });

test("calls and results without ids are paired by their order in a turn", () => {
  const records = [
    user("u0", "Start."),
    assistant("a0", "m0", [runs("lost")]),
    user("u1", "Count the lines."),
    assistant("a1", "m1", [runs("ls"), runs("wc", "t1"), runs("pwd")]),
    user("r1", [told("two files"), told("9 lines", "t1")]),
    user("r2", [told("/home")]),
  ];
  expect(outputs(...records)).toEqual([
    ["lost", ""],
    ["ls", "two files"],
    ["wc", "9 lines"],
    ["pwd", "/home"],
  ]);
});

test("a result without an id belongs to a call without one before it belongs to another", () => {
  const records = [
    user("u1", "Count the lines."),
    assistant("a1", "m1", [runs("ls", "t1"), runs("wc"), runs("pwd", "t2")]),
    user("r1", [told("/home", "t2"), told("9 lines"), told("two files", "t1")]),
  ];
  expect(outputs(...records)).toEqual([
    ["ls", "two files"],
    ["wc", "9 lines"],
    ["pwd", "/home"],
  ]);
});

test("the branch of a session is the one of its last message that names one", () => {
  const on = (uuid: string, gitBranch: string) => user(uuid, "Go on with the importer.", { gitBranch });
  const { session } = read(on("u1", "main"), on("u2", "feat/importer"), on("u3", "HEAD"));
  expect(session.branch).toBe("feat/importer");
});

test("different calls with the same id are paired by their order, and a copy of a call is none", () => {
  const records = [
    user("u1", "Count the lines."),
    assistant("a1", "m1", [runs("ls", "call_0")]),
    user("r1", [told("two files", "call_0")]),
    assistant("a2", "m2", [runs("wc", "call_0"), runs("ls", "call_0")]),
    user("r2", [told("9 lines", "call_0")]),
  ];
  expect(outputs(...records)).toEqual([
    ["ls", "two files"],
    ["wc", "9 lines"],
  ]);
});

test("the blocks of a message are one message, with calls and their results", () => {
  const { session, notices } = read(
    user("u", "Count the lines."),
    { type: "queue-operation", operation: "enqueue", sessionId: "s-1", content: "Count the lines." },
    assistant("a1", "m1", [{ type: "thinking", thinking: "hm" }]),
    assistant("a2", "m1", [text("First the files,")]),
    assistant("a3", "m1", [use("t1"), use("t2")]),
    user("r1", [result("t1", "two files")]),
    assistant("a4", "m1", [text("then the lines."), use("t3"), use("t4")]),
    user("r2", [result("t2", [text("no"), { type: "image" }, text("such file")], { is_error: true }), result("t3", undefined)]),
    assistant("a5", "m2", [text("Done.")]),
  );
  expect(session).toEqual({
    id: "s-1",
    format: "claude-code",
    whole: true,
    typed: true,
    messages: [
      { id: "u", role: "user", text: "Count the lines.", toolCalls: [], time },
      {
        ...{ id: "a1", role: "assistant", text: "First the files,\nthen the lines.", time },
        toolCalls: [
          { name: "Bash", input: { command: "t1" }, output: "two files", status: "completed" },
          { name: "Bash", input: { command: "t2" }, output: "no\nsuch file", status: "error" },
          { name: "Bash", input: { command: "t3" }, output: "", status: "completed" },
          { name: "Bash", input: { command: "t4" }, output: "" },
        ],
      },
      { id: "a5", role: "assistant", text: "Done.", toolCalls: [], time },
    ],
  });
  expect(notices).toEqual([]);
});

test("a command that runs in the background has not ended", () => {
  const statusOf = (said: string) =>
    messagesOf(assistant("a", "m", [use("t")]), user("r", [result("t", said)]))[0]?.toolCalls[0]?.status;
  expect(statusOf("Command running in background with ID: b1. Output is being written to: /tmp/b1.output")).toBeUndefined();
  expect(statusOf("Command was manually backgrounded by user with ID: b1")).toBeUndefined();
  expect(statusOf("docs.md: Command running in background with ID: b1")).toBe("completed");
});

describe("an accepted plan", () => {
  const plan = `# Plan: Bake a cake\n\nThe oven has no light.\n\n${"1. Put one in.\n".repeat(40)}`;
  const behind = "If you need specific details from before exiting plan mode, read the full transcript at: /t.jsonl";
  const said = (text: string) => [
    { id: "u#plan", role: "assistant", text, toolCalls: [], time },
    { id: "u", role: "user", text: "Implement the following plan: Plan: Bake a cake", toolCalls: [], time },
  ];

  test.each([
    ["a text", (content: string) => content],
    ["a block", (content: string) => [text(content)]],
  ])("is the assistant's, its name the request, and nobody said what the host added: %s", (_, made) => {
    const record = user("u", made(`Implement the following plan:\n\n${plan}\n\n${behind}`), { planContent: plan });
    const [written, request] = messagesOf(record);
    expect([{ ...written, text: written?.text.trimEnd() }, request]).toEqual(said(plan.trimEnd()));
    // The field is cut where sessions are read piece by piece.
    const cut = { ...record, planContent: `${plan.slice(0, 300)}\n...\n${plan.slice(-100)}` };
    expect(messagesOf(cut)).toEqual([written, request]);
  });

  test("that the text does not hold leaves it alone", () => {
    expect(messagesOf(user("u", "Go on.", { planContent: plan }))).toMatchObject([{ role: "user", text: "Go on." }]);
    expect(messagesOf(user("u", "Go on.", { planContent: 7 }))).toMatchObject([{ role: "user", text: "Go on." }]);
  });
});

describe("machine-made text is meta", () => {
  test.each([
    ["a marked record", user("u", "anything", { isMeta: true })],
    ["a text for the transcript only", user("u", "anything", { isVisibleInTranscriptOnly: true })],
    ["a text of another origin", user("u", "anything", { origin: { kind: "peer" } })],
    ["a reminder", user("u", "<system-reminder>\nIt is Monday.\n</system-reminder>")],
    ["a command", user("u", "<command-name>/clear</command-name>\n<command-args></command-args>")],
    ["a command's message", user("u", "<command-message>clear</command-message>")],
    ["a command's output", user("u", "<local-command-stdout>Bye</local-command-stdout>")],
    ["a shell line", user("u", "<bash-input>ls</bash-input>")],
    ["a caveat", user("u", "Caveat: The messages below are from a local command.")],
    ["an interruption", user("u", [text("[Request interrupted by user for tool use]")])],
    ["a hook's refusal", user("u", "Operation stopped by hook: no")],
    ["a hook's feedback", user("u", "Stop hook feedback:\n- run the tests")],
    ["a task's end", user("u", "<task-notification>\n<task-id>1</task-id></task-notification>")],
    ["a failed request", assistant("u", "m", [text("API Error: 500")], { isApiErrorMessage: true })],
  ])("%s", (_, record) => {
    expect(messagesOf(record)).toMatchObject([{ id: "u", meta: true }]);
  });

  test("but what the user types behind a slash command is said", () => {
    const command = (name: string, given: string) =>
      `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${given}</command-args>`;
    const said = messagesOf(
      user("u1", command("execute-plan", "keep working code in each commit")),
      user("u2", command("model", "opus")),
      user("u3", command("compact", "keep the open tasks")),
      assistant("a1", "m1", [text("Done.")]),
    );
    expect(said.filter(({ role, meta }) => role === "user" && !meta).map((one) => one.text)).toEqual([
      "keep working code in each commit",
    ]);
  });

  test("but not what is typed beside it", () => {
    const reminder = "<system-reminder>\nIt is Monday.\n</system-reminder>";
    expect(messagesOf(user("u", [text(reminder), text("Go on."), text("<ide_opened_file>a.ts</ide_opened_file>")]))).toEqual([
      { id: "u", role: "user", text: "Go on.", toolCalls: [], time },
    ]);
    expect(messagesOf(user("u", `Use pnpm.\n${reminder}`))[0]).toMatchObject({ text: "Use pnpm." });
    expect(messagesOf(user("u", "Why does it say <system-reminder> there?"))[0]?.meta).toBeUndefined();
  });

  test("what is typed while the model works is said; a notice that waits in the same queue is not", () => {
    const queued = (uuid: string, more: object) => ({
      ...{ type: "attachment", uuid, sessionId: "s-1", attachment: { type: "queued_command", ...more } },
    });
    const messages = messagesOf(
      queued("q1", { prompt: "Also the tests.", commandMode: "prompt", origin: { kind: "human" } }),
      queued("q2", { prompt: "It ended.", commandMode: "task-notification" }),
    );
    expect(messages.map(({ role, text, meta }) => [role, text, meta])).toEqual([
      ["user", "Also the tests.", undefined],
      ["user", "It ended.", true],
    ]);
  });
});

describe("what the user types while the model works, stored only as operations of a queue", () => {
  const queue = (operation: string, more: object = {}) => ({ type: "queue-operation", operation, sessionId: "s-1", ...more });
  const said = (...records: readonly object[]) =>
    messagesOf(user("u", "Fix it."), assistant("a", "m", [use("t")]), user("r", [result("t", "ok")]), ...records)
      .slice(2)
      .map(({ role, text }) => `${role}: ${text}`);
  const wait = queue("enqueue", { content: "Wait, I rebase first." });
  const answer = assistant("b", "n", [text("Go ahead.")]);

  test.each([
    ["the running turn took it in", [wait, queue("remove"), answer]],
    [
      "with its text and reason",
      [wait, queue("remove", { content: "Wait, I rebase first.", reason: "absorbed_mid_turn" }), answer],
    ],
    ["the oldest first", [wait, queue("enqueue", { content: "Also lint." }), queue("remove"), answer]],
  ])("is said: %s", (_, records) => {
    expect(said(...records)).toEqual(["user: Wait, I rebase first.", "assistant: Go ahead."]);
  });

  test.each([
    ["it is a message of its own", [wait, queue("dequeue"), user("q", "Wait, I rebase first."), answer]],
    [
      "it is also stored as an attachment",
      [
        ...[wait, queue("remove")],
        {
          type: "attachment",
          uuid: "q",
          sessionId: "s-1",
          attachment: { type: "queued_command", prompt: "Wait, I rebase first." },
        },
        answer,
      ],
    ],
  ])("is said once: %s", (_, records) => {
    expect(said(...records)).toEqual(["user: Wait, I rebase first.", "assistant: Go ahead."]);
  });

  test.each([
    ["the user took it back", [wait, queue("popAll"), answer]],
    ["it was discarded", [wait, queue("remove", { reason: "cancelled" }), answer]],
    ["it still waits", [wait, answer]],
    ["a program sent it", [queue("enqueue", { content: "<channel>Stop.</channel>" }), queue("remove"), answer]],
  ])("is not said: %s", (_, records) => {
    expect(said(...records)).toEqual(["assistant: Go ahead."]);
  });

  test("is not said if nobody answered since", () => {
    expect(said(wait, queue("remove"))).toEqual([]);
  });
});

test.each([
  ["by its mark", user("u", "Earlier: a parser.", { isCompactSummary: true, isVisibleInTranscriptOnly: true })],
  ["by its words", user("u", "This session is being continued from a previous conversation that ran out. Earlier: a parser.")],
])("a summary is known %s", (_, record) => {
  expect(messagesOf(record)).toMatchObject([{ id: "u", summary: true, text: expect.stringContaining("Earlier: a parser.") }]);
  expect(messagesOf(record)[0]?.meta).toBeUndefined();
});

test("sub-agents are left out, copies count once, the last session is the session", () => {
  const old = { sessionId: "s-0" };
  const { session, notices } = read(
    user("u", "Hello.", old),
    assistant("a", "m", [text("Hi."), use("t")], old),
    user("u", "Hello."),
    assistant("a", "m", [text("Hi."), use("t")]),
    assistant("b", "m", [use("t")]),
    user("x", "You are a helper.", { isSidechain: true }),
    assistant("y", "n", [use("z")], { isSidechain: true }),
  );
  expect(session.id).toBe("s-1");
  expect(session.messages.map(({ id, toolCalls }) => [id, toolCalls.length])).toEqual([
    ["u", 0],
    ["a", 1],
  ]);
  expect(notices).toEqual([]);
});

test("a sub-agent's own file is a session of its own, in which no person speaks", () => {
  const agents = { isSidechain: true, agentId: "1" };
  const { session } = read(
    user("x", "Always answer in French.", agents),
    assistant("y", "n", [text("The cache is there.")], agents),
  );
  expect(session.id).toBe("name");
  expect(session.messages).toMatchObject([
    { id: "x", role: "user", text: "Always answer in French.", meta: true },
    { id: "y", role: "assistant", text: "The cache is there." },
  ]);
  expect(session.messages[1]).not.toHaveProperty("meta");
});

describe("a rewind: only the branch that leads to the last record counts", () => {
  const under = (parentUuid: string | null, more: object = {}) => ({ parentUuid, ...more });
  const says = (uuid: string, parent: string | null, said = uuid, more = {}) => user(uuid, said, under(parent, more));
  const answers = (uuid: string, parent: string, said = uuid) => assistant(uuid, uuid, [text(said)], under(parent));
  const ids = (...records: readonly object[]) => messagesOf(...records).map(({ id }) => id);
  const start = [says("u1", null), answers("a1", "u1")];
  const left = [says("u2", "a1"), answers("a2", "u2"), says("u3", "a2"), answers("a3", "u3")];

  test("what was said after it before is left out, with all that hangs on it", () => {
    expect(ids(...start, ...left, says("u4", "a1"), answers("a4", "u4"))).toEqual(["u1", "a1", "u4", "a4"]);
    expect(ids(...start, ...left, says("u4", "a2"), answers("a4", "u4"))).toEqual(["u1", "a1", "u2", "a2", "u4", "a4"]);
  });

  test("twice, and over what the program notes between messages", () => {
    const note = (uuid: string, parentUuid: string) => ({ type: "system", uuid, parentUuid, sessionId: "s-1" });
    const records = [...start, note("n1", "a1"), says("u2", "n1"), answers("a2", "u2"), says("u3", "a1"), says("u4", "n1")];
    expect(ids(...records, answers("a4", "u4"), { type: "summary", summary: "no uuid" })).toEqual(["u1", "a1", "u4", "a4"]);
  });

  test("over a compaction, which breaks the chain", () => {
    const boundary = { type: "system", uuid: "b", parentUuid: null, logicalParentUuid: "u4", sessionId: "s-1" };
    const records = [...start, ...left, says("u4", "a1"), boundary, says("s", "b", "Summary.", { isCompactSummary: true })];
    expect(ids(...records, says("u5", "s"))).toEqual(["u1", "a1", "u4", "s", "u5"]);
  });

  test.each([
    ["beginnings without a parent", [...start, says("x", null), answers("y", "x")]],
    ["a parent that is not there", [...start, says("x", "gone"), says("y", "gone"), answers("z", "y")]],
    ["an answer beside the user's words", [...start, says("x", "a1"), answers("y", "a1")]],
    ["the words that are not followed by the last record", [...start, says("x", "a1"), says("y", "a1"), answers("z", "x")]],
    ["what names itself", [says("x", "x"), says("y", "x"), says("z", "y")]],
  ])("%s: all stay", (_, records) => {
    expect(ids(...records)).toEqual(records.map(({ uuid }) => uuid));
  });

  test("answers of tools that run side by side are no rewind", () => {
    const calls = [assistant("c1", "m", [use("t1")], under("u1")), assistant("c2", "m", [use("t2")], under("c1"))];
    const results = [user("r1", [result("t1", "one")], under("c1")), user("r2", [result("t2", "two")], under("c2"))];
    const [, called] = messagesOf(says("u1", null), ...calls, ...results, answers("a", "r2"));
    expect(called?.toolCalls.map(({ output }) => output)).toEqual(["one", "two"]);
  });
});
