// Files that come with a clone may be nested beyond what a recursion survives: that is a finding, and nothing else.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-deep-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
function run(...args: string[]) {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" };
  const all = [resolve("dist/cli/main.js"), ...args];
  return spawnSync(RUNTIME, all, { cwd: folder, encoding: "utf8", env, timeout: 60_000 });
}

const MANY = 100_000;
const margins = (depth: number) => Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
const aliases = (count: number, depth = 1) => {
  const [open, close] = ["[".repeat(depth), "]".repeat(depth)];
  return `nothing: &a0 [x]\n${Array.from({ length: count }, (_, at) => `a${at}: &a${at + 1} ${open}*a${at}${close}\n`).join("")}`;
};

test.each([
  ["1,000 brackets", "[".repeat(1_000), "64 levels deep"],
  ["brackets", "[".repeat(MANY), "64 levels deep"],
  ["brackets that are closed", `rules: ${"[".repeat(MANY)}${"]".repeat(MANY)}`, "64 levels deep"],
  ["brackets in lines", "[\n".repeat(MANY), "64 levels deep"],
  ["braces", "{a: ".repeat(MANY), "64 levels deep"],
  ["braces without blanks", `{${'"a":{'.repeat(MANY)}`, "64 levels deep"],
  ["dashes", "- ".repeat(MANY), "64 levels deep"],
  ["questions", "? ".repeat(MANY), "64 levels deep"],
  ["colons", "a: ".repeat(MANY), " error "],
  ["dashes and brackets behind a quote", `a: don't\nb: ${"[ - ".repeat(MANY)}`, "64 levels deep"],
  ["brackets behind text that is not quoted", `a: b's [\nc: ["x', ${"[".repeat(MANY)}`, " error "],
  ["margins", margins(1_000), "64 levels deep"],
  ["anchors", `a: ${"&b ".repeat(MANY)}[x]`, " error "],
  ["tags and brackets", "!!seq [".repeat(MANY), "64 levels deep"],
  ["aliases, each in the next", aliases(10, 50), "Excessive alias count"],
  ["aliases, as deep as can be", aliases(5, 50), "unknown key"],
  ["aliases", aliases(20_000), "more than 100 aliases"],
  ["documents", "---\n[".repeat(MANY), " error "],
])("a configuration with many %s", (_, text, said) => {
  write(".compactionrc", text);
  const { status, stdout, stderr } = run("validate");
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toContain(said);
});

test("a configuration in JSON, a pack and its package.json", () => {
  const json = `${'{"a":'.repeat(MANY)}1${"}".repeat(MANY)}`;
  write(".compactionrc.json", json);
  expect(run("validate")).toMatchObject({ status: 1, stdout: expect.stringContaining("64 levels deep") });
  rmSync(join(folder, ".compactionrc.json"));
  write(".compactionrc", "extends: [./pack.yaml, x]\n");
  write("pack.yaml", `{"compaction":1,"words":${json}}`);
  write("node_modules/x/package.json", `{"x":${json}}`);
  write("node_modules/x/pack.yaml", "compaction: 1\nname: x\n");
  expect(run("validate")).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/64 levels deep[\s\S]*1 finding in 3 files/),
  });
});

test("as deep as anybody writes is not too deep, and brackets in texts do not count", () => {
  const texts = Array.from({ length: 500 }, (_, at) => `'[[${at}'`).join(", ");
  write(
    ".compactionrc",
    `extends: []\nnothing: [${texts}, "{{{", a [[[ b]\n# ${"[".repeat(500)}\nwords:\n  x: |\n    ${"[".repeat(500)}\n`,
  );
  expect(run("validate").stdout).not.toContain("deep");
});

/** Of a conversation of a few words, nothing is injected. */
const REST = "The release is cut by hand on Friday, so what is on the branch until then has to stay on this machine.";

test("what is off or masked is off and masked beside it", () => {
  write(".compactionrc", `enabled: false\nrules: ${"[".repeat(MANY)}\n`);
  write("session.json", JSON.stringify({ id: "s", messages: [{ id: "1", role: "user", text: "Never push." }] }));
  write(
    "t.jsonl",
    `${JSON.stringify({ type: "user", uuid: "u", sessionId: "s", message: { role: "user", content: `Never push. ${REST}` } })}\n`,
  );
  const event = { hook_event_name: "PreCompact", transcript_path: join(folder, "t.jsonl"), cwd: folder };
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" };
  const hook = (input: object) =>
    spawnSync(RUNTIME, [resolve("dist/cli/main.js"), "hook", "claude-code"], {
      cwd: folder,
      encoding: "utf8",
      env,
      input: JSON.stringify(input),
    });
  expect(hook(event)).toMatchObject({ status: 0, stdout: "" });
  write(".compactionrc", `rules: ${"[".repeat(MANY)}\n`);
  expect(hook(event)).toMatchObject({ status: 0, stdout: expect.stringContaining("Never push.") });
});

test.each(["opencode", "claude-code"])("the settings of %s", (host) => {
  const file = host === "opencode" ? "opencode.json" : ".claude/settings.json";
  const text = `{"a":${"[".repeat(MANY)}${"]".repeat(MANY)}}`;
  write(file, text);
  const { status, stderr } = run("init", "--host", host);
  expect([status, stderr]).toEqual([2, expect.stringContaining("nested more than 100 deep")]);
});
