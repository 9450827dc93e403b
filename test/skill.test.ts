// The skill that writes rules: its packs are sound, its commands exist, and agents accept its head.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { runInside } from "./cli/run-command.js";

const FILE = "skills/write-rules/SKILL.md";
const text = readFileSync(FILE, "utf8");
const packs = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, pack = ""]) => pack);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-skill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runInside(args, { cwd: folder, env: { PATH: "", NO_COLOR: "1", HOME: folder } });

test("it has two worked examples", () => expect(packs).toHaveLength(2));

test.each(packs)("the commands of the skill find nothing wrong with its pack", async (pack) => {
  writeFileSync(join(folder, "draft.yaml"), pack);
  const { rules = {}, guards = {} } = parse(pack);
  const names = [...Object.keys(rules), ...Object.keys(guards).map((id) => `guard:${id}`)];
  for (const args of [
    ["validate", "draft.yaml", "--json"],
    ["test", "draft.yaml", ...names, "--coverage", "--json"],
  ])
    expect(await run(...args), args.join(" ")).toEqual({ stdout: '{\n  "findings": []\n}\n', stderr: "", exit: 0 });
});

test("a fault in a draft is a finding with its line, and test says which example fails", async () => {
  writeFileSync(join(folder, "draft.yaml"), (packs[0] ?? "").replace("mood:", "moood:"));
  const { findings } = JSON.parse((await run("validate", "draft.yaml", "--json")).stdout);
  expect(findings).toMatchObject([{ line: 9, code: "unknown-key", hint: 'did you mean "mood"?' }]);
  writeFileSync(join(folder, "draft.yaml"), (packs[0] ?? "").replace("Agreed, we do", "No idea about"));
  const failed = await run("test", "draft.yaml", "agreed-ticket", "--json");
  expect(failed.exit).toBe(1);
  expect(JSON.parse(failed.stdout).findings).toMatchObject([{ code: "example-missing" }]);
});

test("the head is as agents want it, and the text short", () => {
  const { name, description } = parse(/^---\n(.*?)^---$/ms.exec(text)?.[1] ?? "");
  expect(name).toBe("write-rules");
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(text.split("\n").length).toBeLessThanOrEqual(150);
});

test("each command that it names exists", () => {
  const named = [...text.matchAll(/npx compaction-rules ([a-z]+)/g)].map(([, name]) => `${name}.txt`);
  expect(named.filter((name) => !readdirSync("rules/help").includes(name))).toEqual([]);
});

const PLACES = [".claude/skills/write-rules/SKILL.md", ".agents/skills/write-rules/SKILL.md"];
const read = (file: string) => readFileSync(join(folder, file), "utf8");

test("init --skill puts it where agents look, once, and --remove takes away its folders", async () => {
  const { stdout: shown } = await run("init", "--skill");
  expect(shown).toMatch(/^would write \.claude\/skills\/write-rules\/SKILL\.md\n {2}\+ ---\n {2}\+ name: write-rules\n/);
  expect(shown).toMatch(/ {2}\+ … \(\d+ more lines\)\n/);
  expect(shown).toContain("\n  npx compaction-rules init --skill --yes\n");
  expect(readdirSync(folder)).toEqual([]);
  expect((await run("init", "--skill", "--yes")).exit).toBe(0);
  expect(PLACES.map(read)).toEqual([text, text]);
  expect((await run("init", "--skill", "--yes")).stdout).toBe("the skill is there already: nothing to do\n");
  expect((await run("init", "--skill", "--remove", "--yes")).exit).toBe(0);
  expect(readdirSync(folder).filter((name) => name !== ".local")).toEqual([]);
  expect((await run("init", "--skill", "--remove", "--yes")).stdout).toBe("the skill is not there: nothing to do\n");
});

test("a skill that somebody changed is neither replaced nor removed", async () => {
  await run("init", "--skill", "--host", "codex", "--yes");
  const [, file = ""] = PLACES;
  writeFileSync(join(folder, file), `${text}\nOurs.\n`);
  for (const more of [[], ["--remove"]]) {
    const { exit, stderr } = await run("init", "--skill", "--yes", ...more);
    expect([exit, stderr.split("\n")[0]]).toEqual([2, `compaction: ${file} was changed: nothing was written`]);
  }
  expect(read(file)).toContain("Ours.");
});
