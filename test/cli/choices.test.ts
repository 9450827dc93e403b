import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rememberStanding } from "../../src/keep/standing.js";
import type { Item } from "../../src/model.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-choices-"));
  const messages = [{ id: "1", role: "user", text: "Start the work. We decided to use SQLite. We won't use Redis." }];
  writeFileSync(join(folder, "session.json"), JSON.stringify({ id: "s", messages }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(args: readonly string[], over: NodeJS.ProcessEnv = {}) {
  const fixed = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state"), BUN_BE_BUN: "1" };
  const runtime = process.env.COMPACTION_RUNTIME ?? process.execPath;
  const options = { cwd: folder, encoding: "utf8", env: { ...fixed, ...over }, timeout: 60_000 } as const;
  return spawnSync(runtime, [resolve("dist/cli/main.js"), ...args], options);
}

function compaction(...args: string[]): string {
  const { stdout, stderr } = start(args);
  return stdout + stderr;
}

test("a pin stands in every brief until it is dropped", () => {
  const [, id = ""] = /^pinned (\w+) /.exec(compaction("pin", "The key sk-abcdefghijklmnop1234 is rotated.")) ?? [];
  expect(compaction("state", "show", /^(project-\S+)/m.exec(compaction("state", "list"))?.[1] ?? "")).toContain("█ is rotated");
  expect(compaction("run", "session.json")).toContain("Pinned: The key ███████████████████████ is rotated.");
  expect(compaction("run", "session.json", "--tokens", "30")).toContain("is rotated");
  compaction("drop", id);
  expect(compaction("run", "session.json")).not.toContain("Pinned");
});

test("pins and the rules of sessions are listed with the ids by which they are dropped", () => {
  expect(compaction("drop", "--list")).toBe("nothing is pinned or remembered of this project\n");
  compaction("pin", "Ship on Friday.");
  const item = { kind: "constraint", text: "never push", fields: {}, score: 1, by: "user", status: "active", also: [] };
  const evidence = { source: "m", start: 0, end: 1, quote: "On red, never push.", rule: "r" };
  rememberStanding(
    folder,
    { id: "s", messages: [] },
    [{ ...item, evidence } as Item],
    undefined,
    join(folder, "state", "compaction-rules"),
  );
  const list = compaction("drop", "--list");
  expect(list).toMatch(/^\w{8} pin: Ship on Friday\.\n\w{8} rule: On red, never push\.\n$/);
  for (const line of list.trim().split("\n")) {
    const [, id = "", text] = /^(\w+) \w+: (.*)$/.exec(line) ?? [];
    expect(compaction("drop", id)).toBe(`dropped ${id} ${text}\n`);
  }
  expect(compaction("drop", "--list")).toBe("nothing is pinned or remembered of this project\n");
  expect(start(["drop", "--list", "0123abcd"]).status).toBe(2);
});

test("each pin is carried, and none is so long that there is room for nothing else", () => {
  for (const text of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind."]) compaction("pin", text);
  expect(compaction("pin", "x".repeat(501))).toContain("a pin has at most 500 characters");
  for (const template of ["brief", "repair", "carry", "structured"]) {
    const text = compaction("run", "session.json", "--template", template);
    for (const wanted of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind.", "SQLite"]) expect(text).toContain(wanted);
  }
});

test("where a pin stands, it is not said that there is nothing", () => {
  const critical = () => compaction("run", "session.json", "--template", "structured").split("## Critical Context\n")[1];
  expect(critical()).toBe("- (none)\n");
  compaction("pin", "Ship on Friday.");
  expect(critical()).toBe("- Ship on Friday.\n");
});

test("a dropped fact stays gone, from the data and from the brief", () => {
  const [, id = ""] = /→ decision by user \[(\w+)\]: use SQLite/.exec(compaction("explain", "session.json")) ?? [];
  expect(compaction("run", "session.json")).toContain("SQLite");
  expect(compaction("drop", id)).toBe(`noted ${id}: nothing remembered has this id yet\n`);
  expect(compaction("run", "session.json")).not.toContain("SQLite");
  expect(compaction("run", "session.json", "--jsonl")).not.toContain("SQLite");
  expect(compaction("run", "session.json")).toContain("Redis");
});

test("what is stored is removed when it is old, as configured", () => {
  compaction("pin", "Keep it.");
  const old = new Date(Date.now() - 3 * 86_400_000);
  const stored = join(folder, "state", "compaction-rules");
  for (const name of readdirSync(stored)) utimesSync(join(stored, name), old, old);
  expect(compaction("state", "list")).toContain("project-");
  writeFileSync(join(folder, ".compactionrc"), "keepDays: 2\n");
  expect(compaction("state", "list")).toContain("nothing is stored");
});

test("what is stored can be seen and cleared", () => {
  compaction("pin", "Keep it.");
  const [, name = ""] = /^(project-\S+)/m.exec(compaction("state", "list")) ?? [];
  expect(compaction("state", "show", name)).toContain("Keep it.");
  expect(compaction("state", "clear")).toContain(`removed ${name}`);
  expect(compaction("state", "list")).toContain("nothing is stored");
  expect(compaction("state", "show", "nothing")).toContain('nothing is stored as "nothing"');
  expect(compaction("drop", "x")).toContain("name one fact by its id");
});

// In /proc nothing can be made by anybody, and Node's own recursive call would try for ever.
const HOMES = ["session.json", ...(process.platform === "linux" ? ["/dev/null", "/proc"] : [])];

test.each(HOMES)("a state folder that cannot be made is said in one line, not as a bug: %s", (home) => {
  for (const args of [
    ["pin", "Keep it."],
    ["drop", "0123abcd"],
  ]) {
    const { stdout, stderr, status } = start(args, { XDG_STATE_HOME: home });
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toMatch(
      /^compaction: the state folder \S+compaction-rules cannot be used: .+\n {2}→ XDG_STATE_HOME names .+\n$/,
    );
  }
});

test("a state folder that is a file is said as well", () => {
  mkdirSync(join(folder, "state"));
  writeFileSync(join(folder, "state", "compaction-rules"), "");
  for (const args of [["pin", "Keep it."], ["drop", "0123abcd"], ["state", "list"], ["state", "clear"], ["frames"]]) {
    const { stderr, status } = start(args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("compaction-rules cannot be used: ") });
  }
});
