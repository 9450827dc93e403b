// Calls that break a guard of team.yaml in other words than the guard has, in real folders with links.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { toExampleCall } from "../../src/guards/examples.js";
import { matchGuards } from "../../src/guards/match-guards.js";
import { callContext } from "../../src/hosts/calls/prepared.js";
import { loadRules } from "../../src/rules/load-rules.js";

type Planted = readonly [guard: string, call: Parameters<typeof toExampleCall>[0]];
const of = (name: string) => new URL(name, import.meta.url);
const planted = parse(readFileSync(of("planted.yaml"), "utf8")) as Readonly<Record<string, readonly Planted[]>>;
const all = Object.entries(planted).flatMap(([kind, calls]) => calls.map(([guard, call]) => ({ kind, guard, call })));

const FILES = ["src/legacy/a.ts", "db/migrations/001.sql", ".env", "package-lock.json", ".github/workflows/ci.yml"];
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-planted-")));
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, "project", file)), { recursive: true });
    writeFileSync(join(folder, "project", file), "x\n");
  }
  symlinkSync("src/legacy", join(folder, "project/old"));
  symlinkSync("src/legacy/a.ts", join(folder, "project/shortcut.ts"));
  symlinkSync("project", join(folder, "beside"));
  copyFileSync(of("team.yaml"), join(folder, "project/team.yaml"));
  writeFileSync(join(folder, "project/.compactionrc"), "extends: ./team.yaml\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** docs/guards.md says what of them is not seen. */
const UNSEEN = [
  // A word of `not`.
  "git -C packages/app push --force-with-lease=no --force",
  // A link that the same line makes, files that a program finds, and another language.
  "ln -s src/legacy/a.ts l.ts && echo x > l.ts",
  "find src/legacy -name '*.ts' | xargs sed -i s/a/b/",
  "python3 - <<'EOF'\nopen('src/legacy/a.ts','w').write('x')\nEOF",
];

test("finds what is planted, but for what docs/guards.md lists", () => {
  const { rules, guards, diagnostics } = loadRules(join(folder, "project"));
  expect(diagnostics).toEqual([]);
  expect(guards).toHaveLength(15);
  expect(all).toHaveLength(40);
  const missed = all.filter(({ kind, guard: id, call: { command, ...call } }) => {
    const guard = guards.find((one) => one.id === id);
    if (!guard) throw new Error(`no guard ${id}`);
    const line = command?.replaceAll("{beside}", join(folder, "beside"));
    const given = toExampleCall({ ...call, ...(line !== undefined && { command: line }) }, guard, rules);
    const context = {
      ...callContext(join(folder, "project"), join(folder, "project"), rules),
      ...(kind === "case" && { folds: true }),
    };
    return !matchGuards(guards, given, context).met.some((one) => one.guard.id === id);
  });
  expect(missed.map(({ call }) => call.command ?? call.path)).toEqual(UNSEEN);
});
