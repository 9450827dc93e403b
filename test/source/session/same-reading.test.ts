import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needsOf } from "../../../src/extract/calls/call.js";
import { builtInRules, extract, readSession } from "../../../src/index.js";
import { parseLines, parseSession } from "../../../src/source/session/parse-json.js";
import { readSessionFrom } from "../../../src/source/session/read-session.js";
import { cases, runs } from "../../runs.js";
import { SAMPLE } from "../../sample.js";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The same bytes, cut anywhere; one buffer is used again and again, as a reader of files does. */
function* chunked(whole: Uint8Array, size: number): Iterable<Uint8Array> {
  const chunk = new Uint8Array(size);
  for (let at = 0; at < whole.length; at += size) {
    const part = whole.subarray(at, at + size);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}
const pieces = (text: string, size: number) => parseLines(chunked(bytes(text), size), (piece) => piece);

const size = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(undefined, 1, "\t");
const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as fc.JsonSharedConstraints);
const map = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("messages", "data", "__proto__", "id")), value);

describe("JSON lines in chunks are what the whole text says", () => {
  test("a document of several lines is left to the whole text", () => {
    const document = fc.oneof(fc.array(value), map, fc.record({ id: fc.string(), messages: fc.array(map) }));
    fc.assert(
      fc.property(document, indent, size, fc.constantFrom("", " \n", "\n\n"), (given, space, cut, end) => {
        const text = JSON.stringify(given, null, space) + end;
        expect(pieces(text, cut)).toEqual(text.trim().includes("\n") ? undefined : parseSession(text));
      }),
      { numRuns: runs(400) },
    );
  });

  test("of lines, some of them broken", () => {
    const line = fc.oneof(
      { weight: 6, arbitrary: map.map((one) => JSON.stringify(one)) },
      { weight: 1, arbitrary: fc.constantFrom("", "  ", "{", '{"a": "b', "no", "1", '"text"', "[1]", '{"a":1}\r') },
    );
    fc.assert(
      fc.property(map, fc.array(line), size, (first, lines, cut) => {
        const text = [JSON.stringify(first), ...lines].join("\n");
        const found = pieces(text, cut);
        if (found) expect(found).toEqual(parseSession(text));
        // Only what needs the whole text is left to it: a document, or one that is broken.
        else expect(parseSession(text).lines && parseSession(text).fault === undefined).toBe(false);
      }),
      { numRuns: runs(400) },
    );
  });

  test("is the same as reading the whole text when it is not JSON", () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(map, fc.nat(200)).map(([one, end]) => JSON.stringify([one, one]).slice(0, end)),
      fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "1", "a", " ", "\n", "null")).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, size, (given, cut) => {
        const found = pieces(given, cut);
        if (found) expect(found).toEqual(parseSession(given));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("also with a byte order mark, and with bytes that are no UTF-8", () => {
    expect(pieces('\uFEFF{"a": ["ä€😀"]}\n{}', 1)).toMatchObject({ values: [{ a: ["ä€😀"] }, {}] });
    const broken = new Uint8Array([...bytes('{"a": "a'), 0xe2, 0x82, ...bytes('b"}\n{}')]);
    expect(parseLines(chunked(broken, 1), (piece) => piece)).toMatchObject({ values: [{ a: "a�b" }, {}] });
  });
});

const { rules } = builtInRules();
const needs = needsOf(rules);

/** Long enough to be cut, with what readers look for at its ends. */
const long = (start: string, end: string) => `${start}\n${"x ".repeat(2_000)}\n${end}`;

describe("what is dropped makes no difference", () => {
  const bash = { command: "npm test" };
  const write = { file_path: "/work/a.ts", content: long("const a", "end") };
  const patch = `*** Begin Patch\n*** Add File: b.ts\n+${"y".repeat(4_000)}\n*** Update File: c.ts\n*** End Patch`;
  const answer = `${"Well. ".repeat(200)}We decided to use Redis for the cache.`;
  const reason = `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${answer}\n${answer}`;
  const call = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
  const result = (id: string, content: unknown, error = false) => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    is_error: error,
  });
  const claude = (type: string, content: unknown, more = {}) => ({
    type,
    sessionId: "s",
    cwd: "/work",
    message: { role: type, content },
    ...more,
  });
  const codex = (payload: unknown, type = "response_item") => ({ type, payload });
  const event = (type: string, data: unknown) => ({ type, data });
  const pi = (message: unknown) => ({ type: "message", message });
  const lines: Readonly<Record<string, readonly unknown[]>> = {
    "Claude Code": [
      // An answer before its call: nobody knows yet whose it is.
      claude("user", [result("c5", answer)]),
      claude("user", "Add a cache."),
      claude("assistant", [call("c1", "Bash", bash), call("c2", "Write", write), call("c3", "AskUserQuestion", {})]),
      claude("user", [result("c1", long("FAIL", "1 failed"), true)], { toolUseResult: { stdout: "z".repeat(9_000) } }),
      claude("user", [result("c2", [{ type: "text", text: long("done", "end") }]), result("c3", answer)]),
      claude("assistant", [call("c4", "apply_patch", { input: patch }), call("c5", "ask", {})]),
      claude("assistant", [call("c6", "Bash", bash), call("c7", "WebFetch", {})]),
      claude("user", [result("c6", reason, true), result("c7", [{ type: "text", text: reason }], true)]),
      claude("user", [result("c4", `${"z".repeat(3_000)}\nM d.ts\n${"z".repeat(3_000)}`)]),
      // A tool that no pack knows: what it printed first may be told, and what it printed last may not seem to be first.
      claude("assistant", [call("c8", "mystery", {}), call("c9", "mystery", {})]),
      claude("user", [result("c8", `${"x ".repeat(200)}4213 ms ${"x ".repeat(2_000)}`), result("c9", long("", "8642 ms"))]),
      claude("assistant", [
        { type: "text", text: "I found that the import took 4213 ms. I found that the export took 8642 ms." },
      ]),
    ],
    Codex: [
      codex({ id: "s", cwd: "/work" }, "session_meta"),
      codex({ type: "message", role: "user", content: [{ type: "input_text", text: "Add a cache." }] }),
      codex({ type: "function_call", name: "shell", call_id: "1", arguments: JSON.stringify({ command: ["npm", "test"] }) }),
      codex({ type: "function_call_output", call_id: "1", output: long("Exit code: 1\nOutput:", "failed") }),
      codex({
        type: "function_call",
        name: "shell",
        call_id: "2",
        arguments: JSON.stringify({ command: ["ls"], more: "q".repeat(900) }),
      }),
      codex({
        type: "function_call_output",
        call_id: "2",
        output: JSON.stringify({ output: long("a", "b"), metadata: { exit_code: 2 } }),
      }),
      codex({ type: "custom_tool_call", name: "apply_patch", call_id: "3", input: patch }),
      codex({ type: "custom_tool_call_output", call_id: "3", output: long(`${"w\n".repeat(500)}Exit code: 1\nOutput:`, "e") }),
      codex({ type: "local_shell_call", call_id: "4", action: { command: ["make"] } }),
      codex({ type: "function_call_output", call_id: "4", output: [{ text: long("exec command rejected", "") }] }),
    ],
    Copilot: [
      event("session.start", { sessionId: "s" }),
      event("user.message", { content: "Add a cache.", transformedContent: "t".repeat(5_000) }),
      event("assistant.message", { content: "On it.", toolRequests: [{ toolCallId: "1", name: "bash", arguments: bash }] }),
      event("tool.execution_complete", { toolCallId: "1", result: { content: long("out", "<exited with exit code 3>") } }),
      event("tool.execution_start", {
        toolCallId: "2",
        toolName: "create",
        arguments: { path: "a.ts", file_text: "v".repeat(5_000) },
      }),
      event("tool.execution_complete", { toolCallId: "2", success: true, result: { content: long("ok", "") } }),
    ],
    pi: [
      { type: "session", id: "s", cwd: "/work" },
      pi({ role: "user", content: "Add a cache." }),
      pi({ role: "assistant", content: [{ type: "toolCall", id: "1", name: "bash", arguments: bash }] }),
      pi({
        role: "toolResult",
        toolCallId: "1",
        toolName: "bash",
        isError: true,
        content: [{ type: "text", text: long("a", "b") }],
      }),
      pi({ role: "toolResult", toolCallId: "9", toolName: "ask", content: [{ type: "text", text: answer }] }),
    ],
    OpenCode: [
      {
        info: { id: "1", role: "user", system: "s".repeat(5_000) },
        parts: [
          { type: "text", text: "Add a cache." },
          { type: "text", synthetic: true, text: long("file", "") },
        ],
      },
      {
        info: { id: "2", role: "assistant" },
        parts: [
          {
            type: "tool",
            tool: "bash",
            state: { status: "completed", input: bash, output: long("a", "b"), metadata: { exit: 1, output: "o".repeat(9_000) } },
          },
          {
            type: "tool",
            tool: "write",
            state: { status: "completed", input: { filePath: "a.ts", content: long("", "") }, output: "" },
          },
          { type: "tool", tool: "question", state: { status: "completed", input: {}, output: answer } },
          { type: "reasoning", text: long("hm", "hm") },
        ],
      },
    ],
    neutral: [
      { id: "1", role: "user", text: "Add a cache." },
      {
        id: "2",
        role: "assistant",
        text: "On it.",
        toolCalls: [
          { name: "bash", input: bash, output: long("", ""), status: "error" },
          { name: "ask", input: "?", output: answer },
          { name: "write", input: { path: "b.ts", content: long("", "") }, output: { deep: [long("", "")] } },
        ],
      },
    ],
  };

  const both = (text: string) => {
    const whole = readSession(text, "name");
    const light = readSessionFrom(() => chunked(bytes(text), 1_000), "name", needs);
    const say = ({ session, notices }: typeof whole) => {
      const { continuation, statements } = extract(session, rules, { notices });
      return { continuation, statements };
    };
    return { whole, light, saidOfWhole: say(whole), saidOfLight: say(light) };
  };

  test.each(Object.entries(lines))("in %s, as a list and one a line", (format, records) => {
    const lined = records.map((one) => JSON.stringify(one)).join("\n");
    for (const text of [JSON.stringify(records), JSON.stringify(records, null, 1), lined]) {
      if (format === "OpenCode" && text === lined) continue;
      const { whole, light, saidOfWhole, saidOfLight } = both(text);
      expect(saidOfLight).toEqual(saidOfWhole);
      expect(light.session.messages.length).toBe(whole.session.messages.length);
      expect(saidOfLight.continuation.commands.length).toBeGreaterThan(0);
      // Something was dropped, or the test would be about nothing.
      if (text === lined) expect(JSON.stringify(light.session).length).toBeLessThan(JSON.stringify(whole.session).length);
    }
  });

  const folder = "../shared/corpus/sessions";
  const real = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  test.each([SAMPLE, ...cases(real, [])])("in %s", { timeout: 120_000 }, (file) => {
    const { saidOfWhole, saidOfLight } = both(readFileSync(file, "utf8"));
    expect(saidOfLight).toEqual(saidOfWhole);
  });
});
