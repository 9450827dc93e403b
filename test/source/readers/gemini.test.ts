import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";
import { sized } from "../../runs.js";
import { holdsAgainstOddities, readLines } from "./lines.js";

// The shapes are those of Gemini CLI 0.61.0.
const head = { sessionId: "s", projectHash: "4f2a", startTime: "2026-01-01T00:00:00.000Z", kind: "main" };
const context = { id: "c", type: "user", content: [{ text: "<session_context>\nThis is the Gemini CLI.\n</session_context>" }] };
const user = (id: string, text: string, ...more: string[]) => ({
  id,
  type: "user",
  content: [text, ...more].map((one) => ({ text: one })),
  displayContent: [{ text }],
});
const reply = (id: string, content: unknown, more: object = {}) => ({ id, type: "gemini", content, thoughts: [], ...more });
const answer = (response: object) => [{ functionResponse: { id: "run__1", name: "run_shell_command", response } }];
const call = (response: object, status = "success") => ({
  toolCalls: [{ id: "run__1", name: "run_shell_command", args: { command: "make" }, result: answer(response), status }],
});
const set = (...messages: object[]) => ({ $set: { messages, lastUpdated: "2026-01-01T00:00:09.000Z" } });
const messagesOf = (...records: object[]) => readLines([head, ...records]).session.messages;
const textsOf = (...records: object[]) => messagesOf(...records).map(({ text }) => text);

const ran = { output: "<untrusted_context>\nOutput: no\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>" };
const records = [
  head,
  set(context),
  { ...user("u", "fix it é", "<hook_context>told</hook_context>"), timestamp: "2026-01-01T00:00:01.000Z" },
  { $set: { lastUpdated: "2026-01-01T00:00:02.000Z" } },
  reply("a", "I look."),
  reply("a", "I look.", call(ran)),
  { id: "r", type: "user", content: answer(ran) },
  reply("b", "Done."),
];

describe("a session", () => {
  test("has what was typed, and the calls that a later record adds", () => {
    const { session, notices } = readLines(records);
    expect(notices).toEqual([]);
    expect(session).toMatchObject({ id: "s", format: "gemini", whole: true });
    expect(session).not.toHaveProperty("typed");
    const made = { name: "run_shell_command", input: { command: "make" }, output: ran.output, status: "error" };
    expect(session.messages).toEqual([
      { id: "c", role: "user", text: context.content[0]?.text, toolCalls: [], meta: true },
      { id: "u", role: "user", text: "fix it é", toolCalls: [], time: "2026-01-01T00:00:01.000Z" },
      { id: "a", role: "assistant", text: "I look.", toolCalls: [made] },
      { id: "b", role: "assistant", text: "Done.", toolCalls: [] },
    ]);
  });

  test("of an earlier version is one document", () => {
    const messages = [user("u", "fix it"), { id: "i", type: "info", content: "Update available" }, reply("a", "Done.")];
    const { session, notices } = readSession(JSON.stringify({ ...head, messages }, null, 2), "name");
    expect(session.messages.map(({ text }) => text)).toEqual(["fix it", "Done."]);
    expect(notices).toEqual([]);
  });

  test.each([
    ["success", { output: "Output: ok\nExit Code: 0" }, "completed"],
    ["error", { error: "denied" }, "error"],
    ["cancelled", { error: "[Operation Cancelled]" }, "cancelled"],
  ])("a call with the status %s", (status, response, expected) => {
    expect(messagesOf(reply("a", "", call(response, status)))[0]?.toolCalls[0]?.status).toBe(expected);
  });

  test("a message of an unknown type is counted", () => {
    expect(readLines([head, user("u", "x"), { id: "n", type: "new", content: "y" }]).notices).toMatchObject([{ count: 1 }]);
  });

  holdsAgainstOddities(
    "gemini",
    records,
    ["id", "type", "content", "displayContent", "text", "$set", "$rewindTo", "messages", "toolCalls", "result", "response"],
    ["user", "gemini", "u", "a", "<state_snapshot>", "success"],
  );
});

describe("what changes the list", () => {
  const summary = { id: "s1", type: "user", content: [{ text: "<state_snapshot>we talked</state_snapshot>" }] };
  const kept = { id: "k", type: "user", content: [{ text: "go on" }, { text: "<hook_context>told</hook_context>" }] };
  const said = [
    user("u", "fix it"),
    reply("a", "OK."),
    user("v", "go on", "<hook_context>told</hook_context>"),
    reply("b", "Well."),
  ];

  test("a compaction removes nothing; its summary is one, and what it keeps is not said twice", () => {
    const copies = [reply("g", [{ text: "Got it. Thanks for the additional context!" }]), kept, reply("l", [{ text: "Well." }])];
    const messages = messagesOf(...said, set(context, summary, ...copies), reply("d", "Done."), set(context, summary, ...copies));
    expect(messages.map(({ text }) => text)).toEqual([
      "fix it",
      "OK.",
      "go on",
      "Well.",
      context.content[0]?.text,
      "<state_snapshot>we talked</state_snapshot>",
      "Done.",
    ]);
    expect(messages.filter((message) => message.summary).map(({ id }) => id)).toEqual(["s1"]);
  });

  test("reads no summary when its text stands in an ordinary message", () => {
    expect(messagesOf(summary)[0]).not.toHaveProperty("summary");
  });

  test("a step back removes the message and what follows, and all of them if it is not known", () => {
    expect(textsOf(...said, { $rewindTo: "v" }, user("w", "no"))).toEqual(["fix it", "OK.", "no"]);
    expect(textsOf(...said, { $rewindTo: "x" }, user("w", "no"))).toEqual(["no"]);
  });

  test("reads very many steps back", () => {
    const length = sized(20_000, 2_000);
    const long = Array.from({ length }, (_, index) => user(`m${index}`, "x"));
    const steps = Array.from({ length }, (_, index) => [{ $rewindTo: "z" }, user("z", `${index}`)]).flat();
    expect(readLines([head, ...long, user("z", "y"), ...steps]).session.messages).toHaveLength(length + 1);
  });

  test("a resume repeats the list", () => {
    expect(textsOf(...said, head, set(context), { $set: { sessionId: "s" } }, set(...said))).toHaveLength(5);
  });
});
