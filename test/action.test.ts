import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runInside } from "./cli/run-command.js";

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

let folder: string;
let checkout: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-action-"));
  checkout = join(folder, "checkout");
  mkdirSync(join(folder, "bin"));
  mkdirSync(checkout);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program on the runner's path. */
const onPath = (name: string, script: string) =>
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Runs the step of the action as a runner does: in the checkout, with its inputs in its environment. */
function runAction(pack: string, inputs: Readonly<Record<string, string>>, action = resolve(".")) {
  const { runs } = parse(readFileSync("action.yml", "utf8")) as { runs: { steps: readonly Step[] } };
  const { run = "", env = {} } = runs.steps.find((step) => step.run !== undefined) ?? {};
  const given = Object.entries(env).map(([name, value]) => [name, inputs[/inputs\.(\w+)/.exec(value)?.[1] ?? ""] ?? value]);
  writeFileSync(join(checkout, ".compactionrc"), pack);
  return spawnSync("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run], {
    cwd: checkout,
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: checkout,
      GITHUB_ACTION_PATH: action,
      ...Object.fromEntries(given),
    },
  });
}

/** A command in the checkout, as a job runs it. */
const runJob = (args: readonly string[]) =>
  runInside(args, { cwd: checkout, env: { PATH: process.env.PATH, HOME: folder, CI: "true" } });

const INPUTS = { project: ".", coverage: "false" };

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

test("the action checks the folder that it is given, by a path in the checkout or a whole one", () => {
  mkdirSync(join(checkout, "web"));
  writeFileSync(join(checkout, "web/.compactionrc"), "exteds: compaction:recommended\n");
  for (const project of ["web", join(checkout, "web")])
    expect(runAction("{}\n", { ...INPUTS, project }).stdout).toContain("::error file=web/.compactionrc,line=1,col=1");
});

/** What a pull request can bring to make npm, npx, yarn or node run it. */
function fillWithTraps() {
  const trap = `#!/bin/sh\ntouch "${join(folder, "trapped")}"\n`;
  mkdirSync(join(checkout, "node_modules/.bin"), { recursive: true });
  for (const name of ["npm", "npx", "node", "yarn", "bash", "git", "compaction-rules"])
    writeFileSync(join(checkout, "node_modules/.bin", name), trap, { mode: 0o755 });
  writeFileSync(join(checkout, ".npmrc"), "registry=http://127.0.0.1:9/\nscript-shell=./node_modules/.bin/bash\n");
  writeFileSync(join(checkout, ".yarnrc"), 'yarn-path "./node_modules/.bin/yarn"\n');
  const scripts = Object.fromEntries(["prepare", "preinstall", "build"].map((name) => [name, "./node_modules/.bin/npm"]));
  writeFileSync(join(checkout, "package.json"), JSON.stringify({ name: "compaction-rules", scripts }));
  for (const part of ["dist/cli", ".scripts"]) mkdirSync(join(checkout, part), { recursive: true });
  for (const file of ["dist/cli/main.js", ".scripts/install.mjs", ".scripts/build.mjs"])
    writeFileSync(join(checkout, file), `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "trapped"))}, "")`);
}

test("nothing that a pull request brings is run, and nothing starts in its folder", () => {
  fillWithTraps();
  // Each writes down where it starts: in the checkout it would read the settings that are there.
  for (const name of ["npm", "npx", "yarn", "node"])
    onPath(name, `pwd >> "${join(folder, "started")}"\n${name === "node" ? `exec "${process.execPath}" "$@"` : "exit 1"}`);
  expect(runAction("extends: compaction:recommended\n", INPUTS)).toMatchObject({ status: 0, stdout: "" });
  expect(existsSync(join(folder, "trapped"))).toBe(false);
  const started = readFileSync(join(folder, "started"), "utf8");
  expect([...new Set(started.trim().split("\n"))]).toEqual([resolve(".")]);
});

test("the action builds its own files first if they are not built, and no step of it is another's action", () => {
  const action = join(folder, "action");
  mkdirSync(join(action, ".scripts"), { recursive: true });
  symlinkSync(resolve("package.json"), join(action, "package.json"));
  writeFileSync(join(action, ".scripts/install.mjs"), 'console.error("installs");');
  const build = `import { symlinkSync } from "node:fs"; symlinkSync("${resolve("dist")}", "dist"); console.error("builds");`;
  writeFileSync(join(action, ".scripts/build.mjs"), build);
  for (const stderr of ["installs\nbuilds\n", ""])
    expect(runAction("extends: compaction:recommended\n", INPUTS, action)).toMatchObject({ status: 0, stdout: "", stderr });
  // setup-node starts yarn in the checkout, to print its version.
  expect(readFileSync("action.yml", "utf8")).not.toMatch(/^\s*(?:- )?uses:/m);
});

/** What a runner would obey: as its parser reads a line, with white space before it, and the older form anywhere. */
const commandsIn = (text: string) => text.split(/\r\n?|\n/).filter((line) => /^[\s\u0085]*::|##(?:vso|teamcity)?\[/.test(line));

const FORGED = [
  "::stop-commands::x",
  "\n::error file=a.ts,line=1::forged",
  "\r\n \t::add-mask::e",
  "\r::warning::forged",
  "\u0085::group::x",
  "\u200B::debug::x",
  "##[error]forged",
  "\n#\u200B#[stop-commands]x",
  "##vso[task.setvariable variable=PATH]x",
];

const NAMES = FORGED.map((forged) => JSON.stringify(forged));
const rules = NAMES.map(
  (name) => `  ${name}: { emit: constraint, match: "freeze {text}", examples: [{ text: ${name}, emits: {} }] }`,
);
const PACKS = {
  "extends: a list": `extends: [${NAMES.join()}]\n`,
  "extends: a file": `extends: [${FORGED.map((forged) => JSON.stringify(`./${forged}.yaml`)).join()}]\n`,
  keys: NAMES.map((name) => `${name}: 1\n`).join(""),
  "ids and examples of rules": `rules:\n${rules.join("\n")}\n`,
  "a value": `rules: { a: [${NAMES.join()}] }\n${FORGED.map((forged) => `# ${forged.trim()}\n`).join("")}`,
};
/** A finding of ours, as a runner reads it. */
const ANNOTATION = /^::(?:error|warning) (?:file=[^:,]*,line=\d+,col=\d+,)?title=[a-z-]+::/;

test.each(Object.entries(PACKS))("no name in a project becomes a command of the job: %s", async (_, pack) => {
  writeFileSync(join(checkout, ".compactionrc"), pack);
  for (const reporter of ["github", "pretty"]) {
    const { stdout, stderr } = await runJob(["test", "--reporter", reporter]);
    expect(stdout + stderr).toContain("stop-commands");
    const obeyed = commandsIn(stdout).filter((line) => !(reporter === "github" && ANNOTATION.test(line)));
    expect([...obeyed, ...commandsIn(stderr)]).toEqual([]);
  }
});

test("findings as data stay what they are in the log of a job", async () => {
  writeFileSync(join(checkout, ".compactionrc"), PACKS["extends: a list"]);
  for (const reporter of ["json", "sarif"]) {
    const { stdout } = await runJob(["validate", "--reporter", reporter]);
    expect(commandsIn(stdout)).toEqual([]);
    expect(JSON.stringify(JSON.parse(stdout))).toContain("##[error]forged");
  }
});

describe("what a session says is no command of the job", () => {
  beforeEach(() => {
    const text = `We decided to use SQLite.\n${FORGED.join("\n")}`;
    const toolCalls = FORGED.map((forged) => ({ name: forged, input: { command: forged }, output: forged }));
    const messages = FORGED.map((id) => ({ id, role: "user", text, toolCalls }));
    writeFileSync(join(checkout, "session.json"), JSON.stringify({ id: FORGED.join(), branch: FORGED.join(), messages }));
  });

  test.each([
    ["run", "session.json"],
    ["run", "session.json", "--json"],
    ["explain", "session.json", "--all"],
    ["handoff", "session.json"],
    ["compact", "session.json"],
    ["audit", "session.json", "--summary", "session.json"],
  ])("%s %s %s", async (...args) => {
    const { stdout, stderr } = await runJob(args);
    expect([...commandsIn(stdout), ...commandsIn(stderr)]).toEqual([]);
    if (args.includes("--json")) expect(JSON.parse(stdout).session.id).toContain("##[error]forged");
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
