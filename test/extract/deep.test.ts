// What tools were given may be nested beyond what a recursion survives.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createWork } from "../../src/cli/run/session-work.js";
import { builtInRules, compactSession, extract, readSession, type Session } from "../../src/index.js";
import { runInside } from "../cli/run-command.js";

const folder = mkdtempSync(join(tmpdir(), "compaction-deep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAID = "We decided to use Bun for tests.";
const nested = (depth: number) => `${'{"a":'.repeat(depth)}"x"${"}".repeat(depth)}`;
const neutral = (depth: number, id = "s-n") =>
  `{"id":"${id}","messages":[{"id":"1","role":"user","text":"${SAID}"},{"id":"2","role":"assistant","text":"ok",` +
  `"toolCalls":[{"name":"bash","input":${nested(depth)},"output":${nested(depth)},"status":"ok"}]}]}`;
const openCode = (depth: number) =>
  `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"${SAID}"}]},` +
  `{"info":{"id":"2","role":"assistant"},"parts":[{"type":"tool","tool":"bash","state":{"status":"completed",` +
  `"input":${nested(depth)},"output":"x"}}]}]}`;
const claudeCode = (depth: number) =>
  `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s-d","message":{"role":"user","content":"${SAID}"}}\n` +
  `{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s-d","message":{"role":"assistant","content":[` +
  `{"type":"tool_use","id":"t","name":"Bash","input":${nested(depth)}}]}}\n`;

const { rules } = builtInRules();
const textsOf = (session: Session) => extract(session, rules).continuation.items.map(({ text }) => text);

test.each([
  ["neutral", neutral],
  ["opencode", openCode],
  ["claude-code", claudeCode],
])("a call of any depth is read and harms nothing: %s", async (format, make) => {
  for (const depth of [100, 2_000, 4_000]) {
    const { session, notices } = readSession(make(depth), "deep");
    expect([session.format, session.messages.length, notices]).toEqual([format, 2, []]);
    expect(textsOf(session)).toContain("use Bun for tests");
    // Once more, as another reading of the same.
    expect(textsOf(readSession(make(depth), "deep").session)).toContain("use Bun for tests");
    const model = { name: "m", write: async function* () { yield "## Goal\nUse Bun for tests."; } }; // biome-ignore format: short
    const stateFolder = join(folder, `${format}-${depth}`);
    expect((await compactSession(session, { folder, stateFolder, model })).summary).toContain("Use Bun for tests.");
  }
});

test("an input that holds itself is looked at as far as it goes", () => {
  const input: Record<string, unknown> = { command: "npm test" };
  input.self = input;
  input.again = input;
  const toolCalls = [{ name: "bash", input, output: "1 failed", status: "error" }];
  const message = { id: "2", role: "assistant" as const, text: SAID, toolCalls };
  expect(textsOf({ id: "s", format: "neutral", messages: [message] })).toContain("use Bun for tests");
});

const run = (args: readonly string[], input = "") =>
  runInside(args, { cwd: folder, input, env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" } });

test("the commands read it, alone and among others", async () => {
  writeFileSync(join(folder, "deep.jsonl"), claudeCode(3_000));
  expect(await run(["run", "deep.jsonl"])).toMatchObject({ exit: 0, stderr: "", stdout: expect.stringContaining(SAID) });
  const lines = `${neutral(1, "a")}\n${neutral(3_000, "b")}\n${neutral(1, "c")}\n`;
  const { exit, stderr, stdout } = await run(["run", "--jsonl"], lines);
  const ids = stdout.trim().split("\n").map((line) => JSON.parse(line).session.id); // biome-ignore format: short
  expect([exit, stderr, ids]).toEqual([0, "", ["a", "b", "c"]]);
});

test("of several sessions one that fails in a way that nobody thought of is one line", () => {
  const wish = {
    project: undefined,
    format: undefined,
    template: undefined,
    tokens: undefined,
    print: "jsonl",
    cache: false,
  } as const;
  const work = createWork(builtInRules(), wish, () => {});
  const open = () => {
    throw new TypeError("nobody thought of it");
  };
  const input = { shown: "some/session.json", name: "session", open, last: open };
  const notes = "compaction: some/session.json: it could not be read: nobody thought of it\n";
  expect(work({ input, several: true })).toEqual({ out: "", notes, failed: true, gaps: 0, several: true });
  expect(() => work({ input, several: false })).toThrow("nobody thought of it");
});
