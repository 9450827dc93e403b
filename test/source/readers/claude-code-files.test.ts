// Claude Code's files as they are found: damaged, odd, real.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";
import { runs } from "../../runs.js";
import { readPair } from "./compaction-pair.js";
import { expectNothingElseThrown, oddRecords, oddValue } from "./odd.js";

const record = (uuid: string, content: unknown) => ({ type: "user", uuid, sessionId: "s-1", message: { role: "user", content } });
const lines = (...records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

test("records without a message are skipped and counted, unknown ones are not", () => {
  const { session, notices } = readSession(
    lines(record("u", "Hello."), record("v", 7), { type: "user", uuid: "w" }, { type: "mode", sessionId: "s-1" }, { a: 1 }),
    "name",
  );
  expect(session.messages.map(({ id }) => id)).toEqual(["u"]);
  expect(notices).toMatchObject([{ code: "message-skipped", count: 2 }]);
});

test("without uuid and session, a place and the file's name serve", () => {
  const { session } = readSession(lines(record("u", "a"), { type: "user", message: { content: "b" } }), "name");
  expect(session.messages.map(({ id }) => id)).toEqual(["u", "2"]);
  expect(readSession(lines({ ...record("u", "a"), sessionId: 1 }), "name").session.id).toBe("name");
});

test("a file without messages is an empty session", () => {
  const { session, notices } = readSession(lines({ type: "queue-operation", sessionId: "s-1" }), "name");
  expect(session).toEqual({ id: "s-1", format: "claude-code", messages: [], typed: true });
  expect(notices).toMatchObject([{ code: "session-empty" }]);
});

test("cut anywhere, even in a character, what stands before is read", () => {
  const whole = new TextEncoder().encode(lines(record("u", "Grüße"), record("v", "Ω → 漢字 😀")));
  const first = new TextEncoder().encode(lines(record("u", "Grüße"))).length;
  for (let end = first; end < whole.length - 1; end++) {
    const { session, notices } = readSession(whole.subarray(0, end), "name");
    expect(session.messages[0]?.text).toBe("Grüße");
    if (end > first && end < whole.length - 2) expect(notices).toMatchObject([{ code: "line-skipped", count: 1 }]);
  }
});

test("whatever its values are, nothing but a SessionError is thrown", () => {
  const types = ["user", "assistant", "attachment", "summary", "queue-operation"];
  const words = ["text", "tool_use", "tool_result", "queued_command", "enqueue", "remove", "t1"];
  const names = ["type", "text", "id", "content", "tool_use_id", "is_error", "name", "input", "kind", "prompt", "model"];
  const fields = [
    "uuid",
    "sessionId",
    "timestamp",
    "isMeta",
    "isSidechain",
    "origin",
    "attachment",
    "operation",
    "content",
    "isCompactSummary",
    "message",
  ];
  const records = oddRecords(fields, types, oddValue(words, names));
  fc.assert(fc.property(records, fc.constantFrom(undefined, "claude-code"), expectNothingElseThrown), { numRuns: runs(1_000) });
});

const corpus = "../shared/corpus/sessions";
describe.skipIf(!existsSync(corpus))("real sessions (../shared)", () => {
  test.each([
    ["cc-git-restore-hooks.jsonl", 12, 0],
    ["cc-shell-stanza-manager.jsonl", 86, 5],
  ])("%s has %i tool calls, %i failed", (file, calls, failed) => {
    const { session, notices } = readSession(readFileSync(`${corpus}/${file}`), file);
    expect(session.format).toBe("claude-code");
    const all = session.messages.flatMap(({ toolCalls }) => toolCalls);
    expect(all).toHaveLength(calls);
    expect(all.filter(({ status }) => status === "error" || status === "rejected")).toHaveLength(failed);
    expect(all.every(({ status }) => status !== undefined)).toBe(true);
    expect(session.messages.filter(({ text, meta }) => /^(<|\[Request|Operation)/.test(text) && !meta)).toEqual([]);
    expect(notices).toEqual([]);
  });
});

const samples = "../shared/harness/command-hooks/samples/claude-code";
const scenarios = existsSync(samples) ? readdirSync(samples) : [];
describe.skipIf(scenarios.length === 0)("before and after a compaction (../shared)", () => {
  test.each(scenarios)("%s", (scenario) => {
    const { after } = readPair(`${samples}/${scenario}`);
    expect(after.session.messages.filter(({ summary }) => summary)).toMatchObject([{ text: expect.stringContaining("SUMMARY") }]);
    const said = after.session.messages.filter(({ meta, summary }) => !meta && !summary);
    expect(said.map(({ text }) => text).join("\n")).not.toMatch(/MARK_|SUMMARY|CUSTOM_ARG|<[a-z]+-/);
    const steps = said.filter(({ role }) => role === "user").map(({ text }) => /STEP\d$/.exec(text)?.[0]);
    expect(new Set(steps).size).toBe(steps.length);
    expect(steps).not.toContain(undefined);
    const echoes = after.session.messages.filter(({ text }) => text.includes("MARK_PRE"));
    expect(echoes.map(({ meta }) => meta)).toEqual(scenario === "manual" ? [true] : []);
  });
});
