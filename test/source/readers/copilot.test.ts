import { describe, expect, test } from "vitest";
import { sized } from "../../runs.js";
import { holdsAgainstOddities, readLines } from "./lines.js";

let count = 0;
const event = (type: string, data: unknown, more: object = {}) => ({ type, data, id: `e${++count}`, parentId: null, ...more });
const start = event("session.start", { sessionId: "s", version: 1, producer: "copilot-agent" });
const user = (content: string, more: object = {}) => event("user.message", { content, ...more });
const request = (toolCallId: string, command: string) => ({ toolCallId, name: "bash", arguments: { command } });
const reply = (content: string, ...toolRequests: object[]) => event("assistant.message", { content, toolRequests });
const done = (toolCallId: string, more: object) => event("tool.execution_complete", { toolCallId, ...more });
const messagesOf = (...records: object[]) => readLines([start, ...records]).session.messages;

describe("a turn", () => {
  const records = [
    start,
    { ...user("fix it é", { transformedContent: "<now>\nfix it é" }), id: "u", timestamp: "2026-01-01T00:00:01.000Z" },
    event("assistant.turn_start", { turnId: "0" }),
    { ...reply("I look.", request("c1", "make"), request("c2", "ls")), id: "a" },
    event("tool.execution_start", { toolCallId: "c1", toolName: "bash", arguments: { command: "make" } }),
    event("tool.execution_start", { toolCallId: "c2", toolName: "bash", arguments: { command: "ls" } }),
    done("c2", { success: true, result: { content: "a b", detailedContent: "more" } }),
    done("c1", { success: false, error: { message: "denied" } }),
    event("session.snapshot_rewind", { upToEventId: "nowhere" }),
    { ...reply("Done."), id: "b" },
  ];

  test("is put together by the ids of the calls; of the prompt, what was typed counts", () => {
    expect(readLines(records)).toEqual({
      session: {
        id: "s",
        format: "copilot",
        messages: [
          { id: "u", role: "user", text: "fix it é", toolCalls: [], time: "2026-01-01T00:00:01.000Z" },
          {
            id: "a",
            role: "assistant",
            text: "I look.",
            toolCalls: [
              { name: "bash", input: { command: "make" }, output: "denied", status: "error" },
              { name: "bash", input: { command: "ls" }, output: "a b", status: "completed" },
            ],
          },
          { id: "b", role: "assistant", text: "Done.", toolCalls: [] },
        ],
      },
      notices: [],
    });
  });

  holdsAgainstOddities(
    "copilot",
    records,
    ["type", "data", "id", "content", "toolRequests", "toolCallId", "toolName", "result", "contents", "upToEventId", "source"],
    ["session.start", "user.message", "assistant.message", "tool.execution_complete", "session.snapshot_rewind", "c1", "u"],
  );
});

describe("calls", () => {
  test.each([
    ["at the end of the text", { result: { content: "no\n<exited with exit code 2>" } }],
    ["at the end of the text, since 1.0", { result: { content: "no\n<shellId: 0 completed with exit code 2>" } }],
    ["in a block", { result: { content: "no", contents: [{ type: "terminal", text: "no", exitCode: 2 }] } }],
    ["in a field", { result: { content: "no\n\nAdditional guidance from hooks: x" }, shellExecution: { exitCode: 2 } }],
  ])("a command failed by its exit status %s", (_, ended) => {
    const [message] = messagesOf(reply("", request("c", "make")), done("c", { success: true, ...ended }));
    expect(message?.toolCalls).toMatchObject([{ status: "error" }]);
  });

  test("reads no failure when the exit status is 0 or only quoted", () => {
    for (const content of ["ok\n<exited with exit code 0>", "<exited with exit code 1>\nis how it ends"]) {
      const [message] = messagesOf(reply("", request("c", "make")), done("c", { success: true, result: { content } }));
      expect(message?.toolCalls).toMatchObject([{ status: "completed", output: content }]);
    }
  });

  test("one without an answer has no status", () => {
    expect(messagesOf(reply("", request("c", "make")))[0]?.toolCalls[0]).not.toHaveProperty("status");
  });

  test("an execution that no message asked for, and an answer without either, are calls by themselves", () => {
    const begun = event("tool.execution_start", { toolCallId: "x", toolName: "view", arguments: { path: "a" } });
    expect(messagesOf(begun, done("x", { success: true, result: { content: "1" } }), done("y", { success: true }))).toMatchObject(
      [
        { role: "assistant", text: "", toolCalls: [{ name: "view", input: { path: "a" }, output: "1", status: "completed" }] },
        { role: "tool", meta: true, toolCalls: [{ name: "", status: "completed" }] },
      ],
    );
  });

  test("a command that the user ran is one call, and nothing said", () => {
    const data = { toolCallId: "x", toolName: "bash", arguments: { command: "ls" } };
    expect(messagesOf(event("tool.user_requested", data), event("tool.execution_start", data))).toMatchObject([
      { role: "user", meta: true, toolCalls: [{ name: "bash" }] },
    ]);
  });
});

describe("what is not said", () => {
  test.each([
    ["a skill's text", user("x", { source: "skill-x" })],
    ["a continuation by autopilot", user("x", { isAutopilotContinuation: true })],
    ["the task of an agent below", { ...user("x"), agentId: "1" }],
    ["the words of an agent below", event("assistant.message", { content: "x", parentToolCallId: "c" })],
    ["a skill", event("skill.invoked", { name: "s", content: "x" })],
    ["a notification", event("system.notification", { content: "x", kind: {} })],
    ["the system prompt", event("system.message", { content: "x", role: "system" })],
  ])("%s", (_, record) => {
    const [first, second] = messagesOf(record, user("typed", { source: "user" }));
    expect(first).toMatchObject({ text: "x", meta: true });
    expect(second).not.toHaveProperty("meta");
  });

  test("a compaction's summary, unless it failed, and that of a session handed over", () => {
    const compacted = (data: object) => event("session.compaction_complete", data);
    expect(
      messagesOf(
        compacted({ success: true, summaryContent: "sum" }),
        compacted({ success: false, error: "x", summaryContent: "sum" }),
        compacted({ success: true }),
        event("session.handoff", { sourceType: "remote", summary: "far" }),
      ),
    ).toMatchObject([
      { text: "sum", summary: true },
      { text: "far", summary: true },
    ]);
  });
});

describe("what was undone or is there twice", () => {
  test("a rewind takes its event and what came after it", () => {
    const undone = user("no");
    const rewind = event("session.snapshot_rewind", { upToEventId: undone.id, eventsRemoved: 2 });
    expect(messagesOf(user("a"), undone, reply("b"), rewind, user("c")).map(({ text }) => text)).toEqual(["a", "c"]);
  });

  test("an event of the same id counts once", () => {
    const once = user("a");
    expect(messagesOf(once, event("session.resume", {}), once)).toHaveLength(1);
  });
});

test("without its start it is called by its file, and messages without content are counted", () => {
  const { session, notices } = readLines([user("a"), event("user.message", {}), event("assistant.message", 1)]);
  expect(session).toMatchObject({ id: "name", format: "copilot", messages: [{ text: "a" }] });
  expect(notices).toMatchObject([{ code: "message-skipped", count: 2 }]);
});

test("reads a session of very many events", () => {
  const length = sized(50_000, 3_000);
  const records = Array.from({ length }, (_, index) => [reply("", request(`${index}`, "ls")), done(`${index}`, {})]);
  expect(messagesOf(...records.flat())).toHaveLength(length);
});
