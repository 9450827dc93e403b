// Pipes and devices in the place of files, and a standard input that stays open: nothing waits for them.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choicesName } from "../../src/state/choices.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const MAIN = resolve("dist/cli/main.js");
const PATIENCE = 40_000;
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-special-")));
  mkdirSync(file("home"));
  writeFileSync(file("session.json"), JSON.stringify({ id: "s", messages: [{ id: "1", role: "user", text: SAID }] }));
  writeFileSync(file("transcript.jsonl"), `${JSON.stringify(RECORD)}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SAID = "We decided to use Bun for tests, because they start in half the time that Node needs for them. Never push to main.";
const RECORD = { type: "user", uuid: "1", sessionId: "s", message: { role: "user", content: SAID } };
const file = (name: string) => join(folder, name);
const environment = () => ({ PATH: process.env.PATH, NO_COLOR: "1", BUN_BE_BUN: "1", HOME: file("home") });
const options = () => ({ cwd: folder, encoding: "utf8", env: environment(), timeout: PATIENCE }) as const;

function run(args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(RUNTIME, [MAIN, ...args], { ...options(), input });
  expect(stderr).not.toContain("a bug");
  return { status, stdout, stderr };
}

function pipe(name: string): void {
  mkdirSync(dirname(file(name)), { recursive: true });
  expect(spawnSync("mkfifo", [file(name)]).status).toBe(0);
}

const event = (more: object = {}) =>
  JSON.stringify({
    hook_event_name: "PreCompact",
    session_id: "s",
    transcript_path: file("transcript.jsonl"),
    cwd: folder,
    ...more,
  });

const stored = (ending: string) => `home/.local/state/compaction-rules/${choicesName(folder)}.json${ending}`;

describe.skipIf(process.platform === "win32")("a pipe", () => {
  test.each<readonly [name: string | (() => string), args: readonly string[], status: number, said: RegExp]>([
    [".claude/settings.json", ["init", "--host", "claude-code", "--yes"], 2, /settings\.json .*a device or a pipe/],
    [".codex/hooks.json", ["init", "--host", "codex", "--remove", "--yes"], 2, /hooks\.json .*a device or a pipe/],
    ["opencode.json", ["init", "--host", "opencode", "--yes"], 2, /opencode\.json .*a device or a pipe/],
    [".opencode/plugins/x.js", ["init", "--host", "opencode", "--yes"], 0, /wrote .*opencode\.json/],
    [".compactionrc", ["validate"], 1, /a device or a pipe/],
    ["pack.yaml", ["validate", "pack.yaml"], 2, /a device or a pipe/],
    ["SESSION.md", ["run", "--project", "."], 0, /nothing was found/],
    [".git", ["pin", "Never push."], 0, /Never push/],
    [() => stored(""), ["run", "session.json"], 0, /cannot be read .*a device or a pipe/],
    [() => stored(""), ["state", "show", "NAME"], 2, /a device or a pipe/],
    [() => stored(".lock"), ["pin", "Never push."], 0, /Never push/],
  ])("in the place of %s is not waited for: %j", (name, args, status, said) => {
    pipe(typeof name === "string" ? name : name());
    const outcome = run(args.map((arg) => (arg === "NAME" ? choicesName(folder) : arg)));
    expect([outcome.status, outcome.stdout + outcome.stderr]).toEqual([status, expect.stringMatching(said)]);
  });

  test.each(["run", "explain", "audit", "compact"])("is read where the user names it: %s <(command)", (command) => {
    const more = command === "audit" ? `--summary <(printf '%s' "Bun for tests")` : "";
    const script = `"$0" "$1" ${command} <(cat session.json) ${more}`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script, RUNTIME, MAIN], options());
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("empty")]);
    expect(stdout).toMatch(/Bun/);
  });
});

describe("an agent's hook", () => {
  const begun: ChildProcess[] = [];
  afterEach(() => {
    for (const child of begun) child.kill("SIGKILL");
  });

  /** Leaves its standard input open. */
  async function hook(input: string) {
    const child = spawn(RUNTIME, [MAIN, "hook", "claude-code"], { cwd: folder, env: environment() });
    begun.push(child);
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.write(input);
    const status = await new Promise((settle) => child.on("close", settle));
    return { status, out, err };
  }

  test("ends when its standard input stays open, with the event or without", { timeout: PATIENCE }, async () => {
    expect(await hook(event())).toEqual({ status: 0, out: expect.stringContaining("Never push to main"), err: "" });
    expect(await hook(event().slice(0, -1))).toMatchObject({
      status: 1,
      err: expect.stringContaining("no event on standard input"),
    });
    expect(await hook("x".repeat(1000))).toMatchObject({ status: 1 });
  });

  test.skipIf(process.platform === "win32").each([
    ["/dev/zero", "a device or a pipe"],
    ["/dev/tty", "a device or a pipe"],
    ["/proc/self/fd/0", "a device or a pipe"],
    ["/tmp", "EISDIR"],
    ["a\0b", ""],
    ["transcript.jsonl/x", ""],
  ])("reads no transcript from %j", (transcript_path, said) => {
    expect(run(["hook", "claude-code"], event({ transcript_path }))).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining(said),
    });
  });

  test.each([
    "[1]",
    "null",
    '"x"',
    "x",
    "",
    '{"hook_event_name": ["PreCompact"]}',
    '{"hook_event_name": "PreCompact", "transcript_path": 5, "cwd": {}}',
  ])("forbids no compaction by an event like %s", (input) => {
    const { status, stdout } = run(["hook", "claude-code"], input);
    expect([[0, 1].includes(status as number), stdout]).toEqual([true, ""]);
  });

  test.skipIf(process.platform === "win32")("forbids none where its answer cannot be written", () => {
    const script = `"$0" "$1" hook claude-code > /dev/full`;
    expect(spawnSync("bash", ["-c", script, RUNTIME, MAIN], { ...options(), input: event() }).status).toBe(1);
  });

  test.each<readonly [string, unknown]>([
    ["leads upwards", "../../../x"],
    ["is a folder", ".."],
    ["has a NUL", "a\0b"],
    ["is long", "x".repeat(10_000)],
    ["is all slashes", "/".repeat(3_000)],
    ["is empty", ""],
    ["is a number", 7],
  ])("stores a session whose id %s in the state folder alone, for the user alone", (_, session_id) => {
    expect(run(["hook", "claude-code"], event({ session_id }))).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(folder).sort()).toEqual(["home", "session.json", "transcript.jsonl"]);
    // Bun makes a folder of its own.
    expect(readdirSync(file("home")).filter((name) => name !== ".bun")).toEqual([".local"]);
    const state = file("home/.local/state/compaction-rules");
    expect(statSync(state).mode & 0o777).toBe(0o700);
    const names = readdirSync(state);
    expect(names.filter((name) => name.startsWith("session-")).length).toBe(1);
    for (const name of names) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
  });

  test.each<readonly [string, () => void]>([
    ["is a file", () => writeFileSync(file("home/.local"), "")],
    ["is a link that leads nowhere", () => symlinkSync(file("nowhere"), file("home/.local"))],
    ["is a link to itself", () => symlinkSync(".local", file("home/.local"))],
    ["cannot be made", () => symlinkSync("/proc", file("home/.local"))],
  ])("answers, with a word, where the state folder %s", (_, spoil) => {
    spoil();
    const { status, stdout, stderr } = run(["hook", "claude-code"], event());
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringContaining("Never push to main"),
      stderr: expect.stringContaining("cannot be"),
    });
  });

  test("writes through no link that lies in the state folder", () => {
    const state = file("home/.local/state/compaction-rules");
    mkdirSync(state, { recursive: true });
    writeFileSync(file("mine"), "mine");
    for (const name of ["session-s.json", "session-s.json.lock"]) symlinkSync(file("mine"), join(state, name));
    expect(run(["hook", "claude-code"], event())).toMatchObject({ status: 0, stdout: expect.stringContaining("Never push") });
    expect(statSync(file("mine")).size).toBe(4);
  });
});
