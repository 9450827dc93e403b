import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-choices-"));
  const messages = [{ id: "1", role: "user", text: "Start the work. We decided to use SQLite. We won't use Redis." }];
  writeFileSync(join(folder, "session.json"), JSON.stringify({ id: "s", messages }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function compaction(...args: string[]): string {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state"), BUN_BE_BUN: "1" };
  const runtime = process.env.COMPACTION_RUNTIME ?? process.execPath;
  const { stdout, stderr } = spawnSync(runtime, [resolve("dist/cli/main.js"), ...args], { cwd: folder, encoding: "utf8", env });
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

test("each pin is carried, and none is so long that there is room for nothing else", () => {
  for (const text of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind."]) compaction("pin", text);
  expect(compaction("pin", "x".repeat(501))).toContain("a pin has at most 500 characters");
  for (const template of ["brief", "repair", "carry", "structured"]) {
    const text = compaction("run", "session.json", "--template", template);
    for (const wanted of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind.", "SQLite"]) expect(text).toContain(wanted);
  }
});

test("a dropped fact stays gone, from the data and from the brief", () => {
  const [, id = ""] = /→ decision by user \[(\w+)\]: use SQLite/.exec(compaction("explain", "session.json")) ?? [];
  expect(compaction("run", "session.json")).toContain("SQLite");
  expect(compaction("drop", id)).toBe(`dropped ${id}\n`);
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
