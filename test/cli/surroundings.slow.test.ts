// Places that a process may lack: a home folder, and the folder that it was started in.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { choicesName } from "../../src/state/choices.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const MAIN = resolve("dist/cli/main.js");
let folder = "";
const SESSION = { id: "s", messages: [{ id: "1", role: "user", text: "We decided to use Bun for tests." }] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-places-"));
  chmodSync(folder, 0o755);
  for (const name of ["project", "stored", "locked"]) mkdirSync(join(folder, name));
  chmodSync(join(folder, "stored"), 0o777);
  writeFileSync(join(folder, "project", ".compactionrc.yaml"), "extends: [compaction:recommended]\n");
  writeFileSync(join(folder, "locked", ".compactionrc"), "enabled: false\n", { mode: 0o600 });
  writeFileSync(join(folder, "session.json"), JSON.stringify(SESSION));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const base = { PATH: process.env.PATH, NO_COLOR: "1", BUN_BE_BUN: "1" };

/** Only who may become anybody can become a user that no list knows, and that user must get at the program. */
const isPossible =
  process.getuid?.() === 0 &&
  spawnSync(RUNTIME, ["-e", `require("node:fs").accessSync(${JSON.stringify(MAIN)})`], {
    uid: 4242,
    gid: 4242,
    env: base,
    cwd: "/",
  }).status === 0;
describe.skipIf(!isPossible)("a user without a home folder", () => {
  const nobody = { uid: 4242, gid: 4242, encoding: "utf8" } as const;
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawnSync(RUNTIME, [MAIN, ...args], { ...nobody, cwd: join(folder, "project"), env: { ...base, ...more } });

  test.each(["index", "server"])("loads the %s of the library", (name) => {
    const code = `import(${JSON.stringify(pathToFileURL(resolve(`dist/${name}.js`)).href)}).then((all) => console.log(Object.keys(all).length > 0))`;
    expect(spawnSync(RUNTIME, ["-e", code], { ...nobody, cwd: folder, env: base })).toMatchObject({
      stdout: "true\n",
      stderr: "",
    });
  });

  test("reads sessions and a project's configuration", () => {
    const { status, stdout, stderr } = run(["run", "../session.json"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("We decided to use Bun for tests");
    expect(run(["config"])).toMatchObject({ status: 0, stdout: expect.stringContaining(".compactionrc.yaml") });
  });

  test.each([["validate"], ["run", "../session.json"]])("is told that it may not read a configuration: %s", (...args) => {
    const { status, stdout, stderr } = spawnSync(RUNTIME, [MAIN, ...args], { ...nobody, cwd: join(folder, "locked"), env: base });
    expect([status, stdout + stderr]).toEqual([args[0] === "run" ? 2 : 1, expect.stringContaining("file-unreadable")]);
  });

  test("stores nothing, and is told so where it is wanted", () => {
    const why = "no home folder is known, and XDG_STATE_HOME names none\n  → XDG_STATE_HOME names another folder\n";
    expect(run(["pin", "Never push."])).toMatchObject({ status: 2, stderr: `compaction: nothing can be stored: ${why}` });
    expect(run(["compact", "../session.json"])).toMatchObject({
      status: 2,
      // A summary needs no state, and whoever waits for one gets it.
      stdout: expect.stringContaining("use Bun for tests"),
      stderr: expect.stringContaining(`\ncompaction: what the next round needs cannot be stored: ${why}`),
    });
    expect(run(["state", "list"])).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing is stored") });
  });

  test("stores where XDG_STATE_HOME says", () => {
    const there = { XDG_STATE_HOME: join(folder, "stored") };
    expect(run(["pin", "Never push."], there)).toMatchObject({ status: 0 });
    expect(run(["run", "../session.json"], there).stdout).toContain("Never push.");
  });

  test("is not told that nothing is stored in a folder of another's", () => {
    const others = join(folder, "others");
    mkdirSync(join(others, "compaction-rules"), { recursive: true, mode: 0o700 });
    for (const args of [["state", "list"], ["drop", "--list"], ["frames"]])
      expect(run(args, { XDG_STATE_HOME: others })).toMatchObject({ status: 2, stderr: expect.stringContaining("EACCES") });
    const note = expect.stringMatching(/^note: .* cannot be read \(EACCES\); pins and drops are not used\n$/);
    expect(run(["run", "../session.json"], { XDG_STATE_HOME: others })).toMatchObject({ status: 0, stderr: note });
  });

  test("is told why nothing can be stored, not that others are at it, where a lock was left and cannot be taken away", () => {
    const state = join(folder, "locked", "compaction-rules");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, `${choicesName(join(folder, "project"))}.json.lock`), "");
    const { status, stderr } = run(["pin", "Never push."], { XDG_STATE_HOME: join(folder, "locked") });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("cannot be used: EACCES") });
  });
});

describe("a folder that is not there any more", () => {
  const run = (...args: readonly string[]) => {
    const gone = mkdtempSync(join(folder, "gone-"));
    const script = 'rmdir "$1" && shift && exec "$@"';
    const env = { ...base, HOME: folder };
    return spawnSync("sh", ["-c", script, "sh", gone, RUNTIME, MAIN, ...args], { cwd: gone, encoding: "utf8", env });
  };

  test("is not needed by who names everything by absolute paths", () => {
    const { status, stdout } = run("run", join(folder, "session.json"), "--project", join(folder, "project"));
    expect([status, stdout]).toEqual([0, expect.stringContaining("We decided to use Bun for tests")]);
    expect(run("compact", join(folder, "session.json"), "--project", join(folder, "project"))).toMatchObject({ status: 0 });
    expect(run("validate", "--project", join(folder, "project"))).toMatchObject({ status: 0 });
  });

  test.each([["run", "session.json"], ["validate"], ["config"], ["pin", "x"]])("is told in one line: %s", (...args) => {
    const { status, stderr } = run(...args);
    const hint = "change to another folder, or use absolute paths and --project";
    expect([status, stderr]).toEqual([2, `compaction: the current folder does not exist any more\n  → ${hint}\n`]);
  });
});
