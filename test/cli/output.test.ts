// What is printed, and where it goes.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../runs.js";
import { runInside } from "./run-command.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const MAIN = resolve("dist/cli/main.js");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-output-"));
  write("session.json", "Start the work. We decided to use SQLite. We won't use Redis.");
  writeFileSync(join(folder, "summary.md"), "Redis is used.\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), JSON.stringify({ id: "s", messages: [{ id: "1", role: "user", text }] }));
}

const environment = () => ({
  PATH: process.env.PATH,
  NO_COLOR: "1",
  HOME: folder,
  XDG_STATE_HOME: join(folder, "state"),
  BUN_BE_BUN: "1",
});

function start(args: readonly string[], to: { out?: number; errors?: number }) {
  return spawnSync(RUNTIME, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: environment(),
    stdio: ["ignore", to.out ?? "pipe", to.errors ?? "pipe"],
  });
}

const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runInside(args, { cwd: folder, env: { ...environment(), ...env } });

describe.skipIf(process.platform !== "linux")("an output that takes nothing", () => {
  let full: number;
  beforeEach(() => {
    full = openSync("/dev/full", "w");
  });
  afterEach(() => closeSync(full));

  const COMMANDS = [
    ["run", "session.json", "session.json", "--json"],
    ["--help"],
    ["run", "session.json"],
    ["compact", "session.json"],
    ["audit", "session.json", "--summary", "summary.md"],
    ["explain", "session.json"],
    ["validate"],
  ];
  test.each(cases(COMMANDS, COMMANDS.slice(0, 2)))("is said in one line: %s %s", (...args) => {
    const { stderr, status } = start(args, { out: full });
    expect(status).toBe(2);
    expect(stderr.split("\n").filter((line) => line.startsWith("compaction:"))).toEqual([
      "compaction: standard output cannot be written (ENOSPC)",
    ]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("on standard error changes no exit status", () => {
    expect(start(["run", "missing.json"], { errors: full }).status).toBe(2);
    expect(start(["run", "session.json"], { errors: full })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("SQLite"),
    });
  });
});

describe("what a terminal would act on is marked, and stays what it is as data", () => {
  const HOSTILE = "We decided to use \u001B[31mSQLite\u001B[0m and\u009B2J\u202E Redis\u2066.\u0007";
  const acts = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u;
  beforeEach(() => {
    write("hostile.json", HOSTILE);
    writeFileSync(join(folder, "hostile.md"), `${HOSTILE}\n`);
  });

  test.each([
    ["run", "hostile.json"],
    ["run", "hostile.json", "--template", "structured"],
    ["explain", "hostile.json"],
    ["audit", "hostile.json", "--summary", "summary.md"],
    ["audit", "hostile.json", "--summary", "hostile.md", "--repair"],
    ["compact", "hostile.json"],
    ["run", "no\u001B[31mfile.json"],
    ["pin", HOSTILE],
    ["\u001B[31m"],
  ])("%s %s %s", async (...args) => {
    const { stdout, stderr } = await run(args);
    expect(stdout + stderr).toContain("\uFFFD");
    expect(stdout + stderr).not.toMatch(acts);
  });

  test("prints only its own colours when a session has escape codes", async () => {
    const { stdout } = await run(["explain", "hostile.json", "--all"], { NO_COLOR: "", FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001B[32mfired");
    expect(stdout).toContain("\uFFFD[31mSQLite\uFFFD[0m and\uFFFD2J\uFFFD Redis");
    expect(stdout).not.toContain("\u001B[31m");
  });

  test("data keeps what was said, with its place", async () => {
    const [item] = JSON.parse((await run(["run", "hostile.json", "--json"])).stdout).items;
    expect(HOSTILE.slice(item.evidence.start, item.evidence.end)).toBe(item.evidence.quote);
    expect(item.evidence.quote).toMatch(acts);
  });
});

test("every command has a help of its own, in rules/help", async () => {
  const { stdout } = await run(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) .*? {2,}\S/gm)].map(([, name = ""]) => name);
  const files = readdirSync(resolve("rules/help")).map((file) => file.replace(".txt", ""));
  expect(names.length).toBeGreaterThan(20);
  // Without a command, `first` runs.
  expect([...names, "first", "overview"].sort()).toEqual(files.sort());
  for (const name of names) {
    const help = await run([name, "--help"]);
    expect(help).toMatchObject({ exit: 0, stderr: "" });
    expect(help.stdout).toContain(`npx compaction-rules ${name}`);
  }
});
