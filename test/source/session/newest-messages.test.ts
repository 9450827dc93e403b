import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { needsOf } from "../../../src/extract/calls/call.js";
import { mayAllow } from "../../../src/guards/allowed.js";
import { builtInRules } from "../../../src/index.js";
import { NEWEST_BYTES } from "../../../src/limits.js";
import { newestMessages } from "../../../src/source/session/newest-messages.js";

const needs = needsOf(builtInRules().rules);
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-newest-"));
  file = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = (records: readonly object[]) => writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
const typed = (text: string, id: string) => ({ type: "user", uuid: id, message: { role: "user", content: text } });
const result = (id: string, size: number) => ({
  ...{ type: "user", uuid: id },
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x".repeat(size) }] },
});
const texts = (format = "claude-code") =>
  newestMessages(file, format, needs, mayAllow).messages.flatMap(({ role, text }) =>
    role === "user" && text !== "" ? [text] : [],
  );

describe("the newest messages of a session", () => {
  test("are all of a short one", () => {
    lines([typed("One.", "1"), typed("Two.", "2")]);
    expect(texts()).toEqual(["One.", "Two."]);
  });

  test("come from its end, without the first line of the file", () => {
    const many = Array.from({ length: 20 }, (_, index) => [
      typed(`Say ${index}.`, `u${index}`),
      result(`r${index}`, NEWEST_BYTES / 6),
    ]);
    lines([typed("The first.", "0"), ...many.flat()]);
    const found = texts();
    expect(found.at(-1)).toBe("Say 19.");
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found).not.toContain("The first.");
    expect(found).not.toContain("Say 0.");
  });

  test("are looked for further up if the last calls are long", () => {
    const calls = Array.from({ length: 8 }, (_, index) => result(`r${index}`, NEWEST_BYTES / 5));
    lines([result("r", 10), typed("Zero.", "0"), typed("One.", "1"), typed("Two.", "2"), ...calls, typed("Three.", "3")]);
    expect(texts().slice(-3)).toEqual(["One.", "Two.", "Three."]);
  });

  test("know whose session it is from its first line", () => {
    const meta = {
      timestamp: "2026-01-01T00:00:00Z",
      type: "session_meta",
      payload: { id: "s", cwd: "/p", originator: "codex_cli_rs" },
    };
    const say = (text: string) => ({
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    });
    const long = {
      type: "response_item",
      payload: { type: "function_call_output", call_id: "c", output: "x".repeat(NEWEST_BYTES / 2) },
    };
    lines([meta, say("Zero."), long, long, long, say("One."), say("Two."), say("Three.")]);
    expect(texts("codex")).toEqual(["One.", "Two.", "Three."]);
  });

  test("are all of a session that is one document", () => {
    const messages = Array.from({ length: 8 }, (_, index) => ({
      id: `m${index}`,
      role: "user",
      text: `${index} ${"x".repeat(NEWEST_BYTES / 4)}`,
    }));
    writeFileSync(file, JSON.stringify({ id: "s", format: "neutral", messages }));
    expect(texts("neutral")).toHaveLength(8);
  });
});
