// Secrets in what is around the words of a session: its branch, its folders, the names of its tools and files.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needsOf } from "../../src/extract/calls/call.js";
import { maskSession } from "../../src/extract/redact-session.js";
import { builtInRules } from "../../src/rules/load-rules.js";
import { masker } from "../../src/rules/redact/redact.js";
import { readSessionFrom } from "../../src/source/session/read-session.js";
import { runInside, runSpawned } from "./run-command.js";

const KEY = `ghp_${"0123456789abcdefghij".repeat(2)}`;
let home: string;
let project: string;
let session: string;

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const record = (type: "user" | "assistant", content: unknown) => ({
  type,
  uuid: `u${Math.random()}`,
  sessionId: "s",
  cwd: project,
  gitBranch: `fix/${KEY}`,
  timestamp: "2026-11-02T10:00:00Z",
  message: { role: type, content },
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-fields-"));
  project = join(home, `shop-${KEY}`);
  mkdirSync(join(project, ".git"), { recursive: true });
  write(join(project, ".compactionrc"), "extends: [compaction:recommended, compaction:spec]\n");
  write(join(project, `.codex/specs/${KEY}/requirements.md`), "# Requirements\n\nWe decided to use MySQL.\n");
  write(join(project, `.codex/specs/${KEY}/design.md`), "# Design\n\nDecided: no cache.\n");
  const names = ["Bash", `mcp__${KEY}__read`, "Edit", "Task", "Skill", "Agent"];
  const inputs = [{ command: `cd /srv/${KEY} && npm test` }, { path: `/srv/${KEY}/a.ts` }];
  const input = { file_path: join(project, `src/${KEY}.ts`), subagent_type: `agent-${KEY}`, description: KEY, skill: KEY };
  const calls = names.map((name, index) => ({ type: "tool_use", id: `t${index}`, name, input: { ...input, ...inputs[index] } }));
  session = join(home, ".claude/projects/-shop/s.jsonl");
  const records = [
    record("user", `We decided to use SQLite. Work on .codex/specs/${KEY} next. Never touch src/${KEY}.ts.`),
    record("assistant", [{ type: "text", text: "I run the tests." }, ...calls]),
    record(
      "user",
      calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: `error in ${KEY}`, is_error: true })),
    ),
  ];
  write(session, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const outcome = async (...args: readonly string[]) => {
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home };
  const { stdout, stderr } = await (args[0] === "view" ? runSpawned : runInside)(args, { cwd: project, env });
  return stdout + stderr;
};
/** What the user typed or has around: the folder of the session, and of the project. */
const withoutOwnPaths = (text: string) => text.replaceAll(session, "").replaceAll(project, "");

test.each([
  ["run"],
  ["run", "--json"],
  ["run", "--template", "handoff"],
  ["run", "--template", "structured"],
  ["explain"],
  ["explain", "--all"],
  ["explain", "--at", "m2"],
  ["explain", "--signal", "decided"],
  ["audit"],
  ["judge"],
  ["compact"],
  ["rules"],
  ["handoff"],
])("%s %s %s names no secret that is in a branch, a folder, a tool or a file", async (command, ...options) => {
  const said = await outcome(command, session, ...options, ...(command === "show" ? [] : ["--project", project]));
  expect(withoutOwnPaths(said)).not.toContain(KEY);
});

test.each([
  ["run", "--json"],
  ["run", "--template", "handoff"],
  ["explain", "--all"],
  ["handoff", "--json"],
])("%s %s names no secret in the name of a session's file, or of a file of notes", async (command, ...options) => {
  write(join(project, ".compactionrc"), `extends: compaction:recommended\nfiles: { ours: { path: "notes-${KEY}.md" } }\n`);
  write(join(project, `notes-${KEY}.md`), "We decided to use MySQL.\n");
  const file = join(home, `talk-${KEY}.md`);
  write(file, "**User:** We decided to use SQLite.\n\n**Assistant:** Done.\n");
  const said = await outcome(command, file, ...options, "--project", project);
  expect(said).toContain("SQLite");
  expect(withoutOwnPaths(said).replaceAll(file, "")).not.toContain(KEY);
});

test("neither does the index, nor what find and show say of it", async () => {
  for (const args of [
    ["find", "--yes", "tests SQLite", "--kind", "run"],
    ["find", "SQLite", "--json"],
    ["show", "s#m2"],
    ["show", "s#m2", "--json"],
    ["decisions"],
  ])
    expect(withoutOwnPaths(await outcome(...args)), args.join(" ")).not.toContain(KEY);
  const index = readFileSync(join(home, ".local/state/compaction-rules/recall.db"), "latin1");
  expect(index).toContain("SQLite");
  expect(withoutOwnPaths(index)).not.toContain(KEY);
});

test("the page of view has no branch, folder, tool or file with a secret", async () => {
  await outcome("view", session, "--project", project, "--out", "page.html");
  const page = readFileSync(join(project, "page.html"), "utf8");
  const [, data = ""] = /id="data">([^<]*)</.exec(page) ?? [];
  const text = gunzipSync(Buffer.from(data, "base64")).toString("utf8");
  expect(text).toContain("SQLite");
  expect(text).toContain("requirements.md");
  expect(page + text).not.toContain(KEY);
});

test("a field that a reader adds later is masked without being named", () => {
  const { rules } = builtInRules();
  const read = readSessionFrom(() => [readFileSync(session)], "s", needsOf(rules)).session;
  const [first] = read.messages;
  const more = {
    ...read,
    title: KEY,
    messages: [{ ...first, agent: KEY, toolCalls: [{ name: "x", input: {}, output: "", by: KEY }] }],
  };
  expect(JSON.stringify(maskSession(more as typeof read, masker(rules.redactions)))).not.toContain(KEY);
});

test("pin --on takes no secret, and neither prints nor stores it", async () => {
  for (const on of [`command:curl -H ${KEY}`, `edit:src/${KEY}/**`, "command:mysql -pTopSecret99"]) {
    const said = await outcome("pin", "Never do that.", "--on", on);
    expect(said).toContain("holds a secret");
    expect(said).not.toMatch(/ghp_|TopSecret99/);
  }
  expect(await outcome("pin", "--list")).not.toMatch(/ghp_|TopSecret99/);
  expect(await outcome("pin", "Never force.", "--on", "command:git push --force")).toContain("guard once");
});

test.each([
  ["config", "--own"],
  ["config", "--own", "--json"],
  ["docs", "--own"],
  ["trust"],
  ["trust", "--json"],
  ["test", "--coverage"],
  ["validate"],
  ["doctor"],
])("neither what a pack is called nor what it says shows a secret: %s %s", async (...args) => {
  const guard = `{ on: { command: "make x" }, then: ask, say: "Use ${KEY}.", examples: [{ call: { command: make x }, fires: true }] }`;
  const more = `words: { "w-${KEY}": "${KEY}" }\ncategories: { "c-${KEY}": { of: [decision], match: SQLite } }`;
  const head = `compaction: 1\nname: "team ${KEY}"\ndescription: "with ${KEY}"\nextends: [compaction:recommended]`;
  write(join(project, `packs/${KEY}.yaml`), `${head}\n${more}\nguards: { "g-${KEY}": ${guard} }\n`);
  write(join(project, ".compactionrc"), `extends: ["./packs/${KEY}.yaml"]\n`);
  const told = (await outcome(...args)).replaceAll(project, "");
  expect(told).not.toContain(KEY);
  if (args[0] !== "validate") expect(told).toContain("█".repeat(KEY.length));
});
