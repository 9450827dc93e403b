// Codex's files as they are found: damaged, odd, real.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";
import { runs } from "../../runs.js";
import { readPair } from "./compaction-pair.js";
import { expectNothingElseThrown, oddRecords, oddValue } from "./odd.js";

const said = (role: unknown, content: unknown) => ({ type: "response_item", payload: { type: "message", role, content } });
const text = (words: string) => [{ type: "input_text", text: words }];
const lines = (...records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

test("what looks like a broken message is skipped and counted, unknown records are not", () => {
  const { session, notices } = readSession(
    lines(
      ...[said("user", text("Hello.")), said("robot", text("a")), said("user", 7), { type: "response_item", payload: "b" }],
      ...[said("user", [{ type: "input_image" }]), { type: "world_state", payload: {} }, { type: "response_item", payload: {} }],
      said("assistant", "Hi."),
    ),
    "name",
  );
  expect(session.id).toBe("name");
  expect(session.messages.map(({ id, text }) => [id, text])).toEqual([
    ["1", "Hello."],
    ["8", "Hi."],
  ]);
  expect(notices).toMatchObject([{ code: "message-skipped", count: 3 }]);
});

test("a file without messages is an empty session", () => {
  const { session, notices } = readSession(lines({ type: "session_meta", payload: { session_id: "s-1" } }), "name");
  expect(session).toEqual({ id: "s-1", format: "codex", whole: true, messages: [] });
  expect(notices).toMatchObject([{ code: "session-empty" }]);
});

test("cut anywhere, even in a character, what stands before is read", () => {
  const whole = new TextEncoder().encode(lines(said("user", text("Grüße")), said("user", text("Ω → 漢字 😀"))));
  const first = new TextEncoder().encode(lines(said("user", text("Grüße")))).length;
  for (let end = first + 1; end < whole.length - 2; end++) {
    const { session, notices } = readSession(whole.subarray(0, end), "name");
    expect(session.messages.map(({ text }) => text)).toEqual(["Grüße"]);
    expect(notices).toMatchObject([{ code: "line-skipped", count: 1 }]);
  }
});

test("output that is nested beyond reason does not stop it", () => {
  const deep = `${'{"output":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const call = { type: "response_item", payload: { type: "function_call", name: "x", arguments: deep, call_id: "c" } };
  const output = `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":${deep}}}`;
  expect(readSession(`${lines(call)}${output}\n`, "name").session.messages).toHaveLength(1);
});

test("whatever its values are, nothing but a SessionError is thrown", () => {
  const types = ["session_meta", "response_item", "event_msg", "compacted"];
  const words = ["message", "function_call", "function_call_output", "web_search_call", "user", "assistant", "c1"];
  const names = ["type", "role", "content", "text", "id", "call_id", "name", "arguments", "input", "output", "message", "item"];
  const more = ["metadata", "exit_code", "success", "internal_chat_message_metadata_passthrough", "content_item_metadata"];
  const records = oddRecords(["payload", "payload", "timestamp", "metadata"], types, oddValue(words, [...names, ...more]));
  fc.assert(fc.property(records, fc.constantFrom(undefined, "codex"), expectNothingElseThrown), { numRuns: runs(1_000) });
});

const corpus = "../shared/corpus/sessions/codex-coordinator.jsonl";
test.skipIf(!existsSync(corpus))("a real session of 352 tool calls, 20 failed (../shared)", () => {
  const { session, notices } = readSession(readFileSync(corpus), "name");
  const calls = session.messages.flatMap(({ toolCalls }) => toolCalls);
  expect(calls).toHaveLength(352);
  expect(calls.filter(({ status }) => status === "error")).toHaveLength(20);
  // How they ended, no later call tells.
  const open = calls.filter(({ status }) => status === undefined);
  expect(open).toHaveLength(4);
  for (const { output } of open) expect(output).toContain("Process running with session ID");
  // As many as its event_msg records say.
  const typed = session.messages.filter(({ role, meta, summary }) => role === "user" && !meta && !summary);
  expect(typed).toHaveLength(36);
  expect(session.messages.filter(({ role, text }) => role === "assistant" && text !== "")).toHaveLength(162);
  expect(session.messages.filter(({ summary }) => summary)).toHaveLength(1);
  expect(notices).toEqual([]);
});

const samples = "../shared/harness/command-hooks/samples/codex";
const scenarios = existsSync(samples) ? readdirSync(samples) : [];
describe.skipIf(scenarios.length === 0)("before and after a compaction (../shared)", () => {
  test.each(scenarios)("%s", (scenario) => {
    const { after } = readPair(`${samples}/${scenario}`);
    const summaries = after.session.messages.filter(({ summary }) => summary);
    const isOpaque = scenario === "auto-remote";
    expect(summaries).toMatchObject([{ text: isOpaque ? "" : expect.stringContaining("SUMMARY") }]);
    const hooked = after.session.messages.filter(({ text }) => text.includes("MARK_SS"));
    expect(hooked).toMatchObject([{ role: "system", meta: true }]);
    const typed = after.session.messages.filter(({ role, meta, summary }) => role === "user" && !meta && !summary);
    const steps = typed.map(({ text }) => /STEP\d$/.exec(text)?.[0]);
    expect(steps).not.toContain(undefined);
    expect(new Set(steps).size).toBe(steps.length);
  });
});
