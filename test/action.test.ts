import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-action-"));
  mkdirSync(join(folder, "bin"));
  // Stands in for npx, which would download the program: it drops --yes and the name of the package.
  const npx = `#!/bin/sh\n[ "$2" = compaction-rules@9.9.9 ] || exit 9\nshift 2\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`;
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the step of the action as a runner does: its inputs stand in its environment. */
function runAction(pack: string, inputs: Readonly<Record<string, string>>) {
  const { runs } = parse(readFileSync("action.yml", "utf8")) as { runs: { steps: readonly Step[] } };
  const { run = "", env = {} } = runs.steps.find((step) => step.run !== undefined) ?? {};
  const given = Object.entries(env).map(([name, value]) => [name, inputs[/inputs\.(\w+)/.exec(value)?.[1] ?? ""] ?? value]);
  writeFileSync(join(folder, ".compactionrc"), pack);
  return spawnSync("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
      GITHUB_WORKSPACE: folder,
      ...Object.fromEntries(given),
    },
  });
}

const INPUTS = { project: ".", version: "9.9.9", coverage: "false" };

/** A rule with one example. */
const withRule = (text: string, emits: string) => `extends: compaction:recommended
rules:
  freezes:
    emit: constraint
    match: "freeze {text}"
    examples:
      - { text: "${text}", emits: ${emits} }
`;

test("the action passes when a repository has no findings", () => {
  const { status, stdout, stderr } = runAction("extends: compaction:recommended\n", INPUTS);
  expect([status, stdout, stderr]).toEqual([0, "", ""]);
});

test("the action annotates the lines and fails when a pack has findings or an example fails", () => {
  expect(runAction("exteds: compaction:recommended\n", INPUTS)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("::error file=.compactionrc,line=1,col=1,title=unknown-key::"),
  });
  expect(runAction(withRule("Freeze the API.", "none"), INPUTS)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("title=example-noisy"),
  });
});

test("the action asks for examples on both sides when coverage is true", () => {
  const pack = withRule("Freeze the API.", "{}");
  expect(runAction(pack, { ...INPUTS, coverage: "true" })).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("title=example-coverage"),
  });
});

test("the hook of pre-commit starts a program that is there when git installs the repository", () => {
  const [hook] = parse(readFileSync(".pre-commit-hooks.yaml", "utf8")) as [{ entry: string; files: string }];
  const { bin, scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(bin)).toContain(hook.entry.split(" ")[0]);
  // npm runs no other script for a package that comes from git, and installs no development packages with --global.
  expect(scripts.prepare).toBe("node .scripts/install.mjs && node .scripts/build.mjs");
  const files = new RegExp(hook.files);
  for (const name of [".compactionrc", "web/.compactionrc.yml", ".config/compactionrc", "rules/team.yaml"])
    expect(name).toMatch(files);
  expect("src/a.ts").not.toMatch(files);
});
