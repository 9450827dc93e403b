import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Item } from "../../src/model.js";
import { rememberStanding } from "../../src/state/standing.js";

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
  expect(list).toMatch(/^\w{8} pin: Ship on Friday\.\n\w{8} rule: On red, never push\. \(said in session s, message m\)\n$/);
  for (const line of list.trim().split("\n")) {
    const [, id = "", text] = /^(\w+) \w+: (.*?)(?: \(said .*\))?$/.exec(line) ?? [];
    expect(compaction("drop", id)).toBe(`dropped ${id} ${text}\n`);
  }
  expect(compaction("drop", "--list")).toMatch(/^\w{8} dropped: On red, never push\.\n$/);
  expect(start(["drop", "--list", "0123abcd"]).status).toBe(2);
});

test("what was dropped is listed, and counts again when that is undone", () => {
  const [, id = ""] = /→ decision by user \[(\w+)\]: use SQLite/.exec(compaction("explain", "session.json")) ?? [];
  compaction("drop", "0123abcd");
  compaction("drop", id);
  expect(compaction("drop", "--list")).toContain("0123abcd dropped: (its words are not known)\n");
  compaction("compact", "session.json");
  expect(compaction("run", "session.json")).not.toContain("SQLite");
  expect(compaction("drop", "--undo", id)).toContain(`used again: ${id} `);
  expect(compaction("run", "session.json")).toContain("SQLite");
  expect(compaction("compact", "session.json")).toContain("SQLite");
  expect(start(["drop", "--undo", id])).toMatchObject({ status: 2, stderr: expect.stringContaining(`${id} was not dropped`) });
  expect(compaction("drop", "--list")).toBe("0123abcd dropped: (its words are not known)\n");
  // Words that are known when it is dropped are told, also after the session is forgotten.
  compaction("drop", id);
  compaction("state", "clear", "session-s");
  expect(compaction("drop", "--list")).toContain(`${id} dropped: We decided to use SQLite.\n`);
});

test("a pin in other letters takes the place of the first, and says so", () => {
  const [, id] = /^pinned (\w+) /.exec(compaction("pin", "Ask Ann before.")) ?? [];
  expect(compaction("pin", "ask Ann BEFORE")).toBe(`pinned ${id} ask Ann BEFORE\nin place of: Ask Ann before.\n`);
  expect(compaction("pin", "ask Ann BEFORE")).toBe(`pinned ${id} ask Ann BEFORE\n`);
  expect(compaction("drop", "--list")).toBe(`${id} pin: ask Ann BEFORE\n`);
});

test("each pin is carried, and none is so long that there is room for nothing else", () => {
  for (const text of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind."]) compaction("pin", text);
  expect(compaction("pin", "x".repeat(501))).toContain("a pin can have at most 500 characters");
  for (const template of ["brief", "repair", "carry", "structured"]) {
    const text = compaction("run", "session.json", "--template", template);
    for (const wanted of ["Ship on Friday.", "Ask Ann before.", "Ask Bob behind.", "SQLite"]) expect(text).toContain(wanted);
  }
});

test("a damaged file of pins is named, and never replaced by another", () => {
  for (const text of ["Ship on Friday.", "Ask Ann before."]) compaction("pin", text);
  const stored = join(folder, "state", "compaction-rules");
  const [name = ""] = readdirSync(stored);
  const damaged = readFileSync(join(stored, name), "utf8").slice(0, -9);
  writeFileSync(join(stored, name), damaged);
  for (const args of [
    ["pin", "Ask Bob behind."],
    ["drop", "0123abcd"],
    ["drop", "--list"],
  ]) {
    const { stdout, stderr, status } = start(args);
    expect({ stdout, stderr, status }).toEqual({
      stdout: "",
      stderr: expect.stringContaining(`${join(stored, name)} cannot be read`),
      status: 2,
    });
  }
  expect(readFileSync(join(stored, name), "utf8")).toBe(damaged);
  expect(readdirSync(stored)).toEqual([name]);
});

test.each([
  ["pins", "project-", '{"version":1,"pins":[1],"drops":{}}'],
  ["pins", "project-", '{"version":1,"pins":[],"drops":[],"words":null}'],
  ["rules", "rules-", '{"version":1,"rules":[null]}'],
  ["rules", "rules-", '{"version":1,"rules":[{"session":"s","item":{}}]}'],
  ["rules", "rules-", '{"version":1,"rules":{}}'],
])("drop names a file of %s that holds something else (%s%s)", (_, begins, damaged) => {
  compaction("pin", "Ship on Friday.");
  const stored = join(folder, "state", "compaction-rules");
  const [name = ""] = readdirSync(stored);
  const file = join(stored, name.replace("project-", begins));
  writeFileSync(file, damaged);
  const { stderr, status } = start(["drop", "--list"]);
  expect({ stderr, status }).toEqual({ stderr: `compaction: ${file} is damaged\n`, status: 2 });
  expect(readFileSync(file, "utf8")).toBe(damaged);
});

test("drop ignores a session's file that holds something else", () => {
  const stored = join(folder, "state", "compaction-rules");
  mkdirSync(stored, { recursive: true });
  writeFileSync(join(stored, "session-s.json"), '{"version":1,"continuation":{"items":[null]},"statements":[]}');
  expect(start(["drop", "0123abcd"])).toMatchObject({ status: 1, stderr: "" });
});

test("state show prints no control characters of what is stored", () => {
  const stored = join(folder, "state", "compaction-rules");
  mkdirSync(stored, { recursive: true });
  writeFileSync(join(stored, "session-s.json"), '{"version":1,"said":"\u001B[31mred \u009B2J \u202Egnp"}\n');
  expect(compaction("state", "show", "session-s")).toBe('{"version":1,"said":"\uFFFD[31mred \uFFFD2J \uFFFDgnp"}\n');
});

test("what was set aside is listed with what is stored", () => {
  compaction("compact", "session.json");
  const stored = join(folder, "state", "compaction-rules");
  writeFileSync(join(stored, "session-s.json"), "{");
  expect(compaction("compact", "session.json")).toContain("session-s.json cannot be read");
  expect(compaction("state", "list")).toMatch(/^set aside \(it could not be read\): .*session-s\.json\.aside-\d+$/m);
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
  expect(compaction("drop", id)).toBe(`dropped ${id}: nothing stored has this id yet\n`);
  expect(compaction("run", "session.json")).not.toContain("SQLite");
  expect(compaction("run", "session.json", "--jsonl")).not.toContain("SQLite");
  expect(compaction("run", "session.json")).toContain("Redis");
});

test("a dropped fact is gone from what is remembered, too, with the sentence that it was found in", () => {
  const write = (...messages: readonly object[]) =>
    writeFileSync(join(folder, "session.json"), JSON.stringify({ id: "s", messages }));
  write({ id: "1", role: "user", text: "Start the work. Never touch the legacy folder." });
  const [, id = ""] = /→ constraint by user \[(\w+)\]/.exec(compaction("explain", "session.json")) ?? [];
  compaction("compact", "session.json");
  write({ id: "2", role: "user", text: "Go on with the mail." });
  expect(compaction("compact", "session.json")).toContain("legacy folder");
  expect(compaction("drop", id)).toBe(`dropped ${id} Never touch the legacy folder.\n`);
  expect(compaction("compact", "session.json")).not.toContain("legacy folder");
  expect(compaction("state", "show", "session-s")).not.toContain('"text": "Never touch');
});

describe("what is stored and not written again", () => {
  const state = () => join(folder, "state", "compaction-rules");
  const names = () => readdirSync(state()).map((name) => name.replace(/-(?:compaction|other)-.*$/, "").replace(".json", ""));
  const age = (days: number) => {
    const old = new Date(Date.now() - days * 86_400_000);
    for (const name of readdirSync(state())) utimesSync(join(state(), name), old, old);
  };
  const other = (...args: readonly string[]) => start([...args, "--project", join(folder, "other")]);
  beforeEach(() => {
    mkdirSync(join(folder, "other"));
    const messages = [{ id: "1", role: "user", text: "Start the work. Never touch the legacy folder." }];
    for (const id of ["a", "b"]) writeFileSync(join(folder, `${id}.json`), JSON.stringify({ id, messages }));
  });

  test("of a session goes after as many days as its own project says, and never by another project's word", () => {
    compaction("compact", "a.json", "--project", ".");
    writeFileSync(join(folder, "other", ".compactionrc"), "keepDays: 1\n");
    other("compact", "b.json");
    age(3);
    other("compact", "session.json");
    expect(names()).toContain("session-a");
    expect(names()).not.toContain("session-b");
    age(91);
    other("compact", "session.json");
    expect(names()).not.toContain("session-a");
  });

  test("of a session stays longer where its project says so, whoever looks", () => {
    writeFileSync(join(folder, ".compactionrc"), "keepDays: 200\n");
    compaction("compact", "a.json", "--project", ".");
    age(120);
    other("compact", "b.json");
    expect(names()).toContain("session-a");
  });

  test("of a project stays: pins, drops and rules", () => {
    compaction("pin", "Ship on Friday.");
    const typed = { role: "user", content: "Never touch the legacy folder. Fix the typo." };
    const records = [
      { type: "session", version: 1, id: "a" },
      { type: "message", message: typed },
    ];
    writeFileSync(join(folder, "a.jsonl"), records.map((one) => JSON.stringify(one)).join("\n"));
    compaction("compact", "a.jsonl", "--project", ".");
    age(1_000);
    const before = compaction("drop", "--list");
    expect(before).toMatch(
      / pin: Ship on Friday\.\n.* rule: Never touch the legacy folder\. \(said in session a, message 1\)\n$/,
    );
    other("compact", "session.json");
    expect(names()).not.toContain("session-a");
    expect(compaction("drop", "--list")).toBe(before);
    expect(compaction("run", "session.json")).toContain("Ship on Friday.");
  });

  test("is not removed by looking", () => {
    compaction("compact", "a.json");
    age(1_000);
    expect(compaction("state", "list")).toContain("session-a");
    expect(compaction("state", "show", "session-a")).toContain("legacy folder");
    expect(names()).toContain("session-a");
  });
});

test("what is stored can be seen and cleared", () => {
  compaction("pin", "Keep it.");
  const [, name = ""] = /^(project-\S+)/m.exec(compaction("state", "list")) ?? [];
  expect(compaction("state", "show", name)).toContain("Keep it.");
  expect(compaction("state", "clear", "--yes")).toContain(`removed ${name}`);
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

test.each(HOMES.slice(0, 2))("what cannot be looked at is not said to be nothing: %s", (home) => {
  const there = { XDG_STATE_HOME: home };
  for (const args of [["state", "list"], ["state", "clear"], ["frames"], ["drop", "--list"]]) {
    const { stdout, stderr, status } = start(args, there);
    expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: expect.stringContaining("ENOTDIR"), status: 2 });
  }
  const { stdout, stderr, status } = start(["run", "session.json"], there);
  expect({ stdout, status }).toEqual({ stdout: expect.stringContaining("SQLite"), status: 0 });
  expect(stderr).toMatch(/^note: \S+ cannot be read \(ENOTDIR\); pins and drops are not used\n$/);
});

// A file of no bytes is all that there is room for.
test.skipIf(process.platform === "win32")("a full disk is named as the reason, and leaves no lock for others to wait for", () => {
  compaction("pin", "Ship on Friday.");
  const fixed = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state"), BUN_BE_BUN: "1" };
  const runtime = process.env.COMPACTION_RUNTIME ?? process.execPath;
  const args = ["-c", 'ulimit -f 0; exec "$@"', "sh", runtime, resolve("dist/cli/main.js"), "pin", "Ask Ann before."];
  const { stderr, status } = spawnSync("sh", args, { cwd: folder, encoding: "utf8", env: fixed });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/cannot be used: E(?:FBIG|NOSPC)/) });
  expect(readdirSync(join(folder, "state", "compaction-rules"))).toEqual([expect.stringMatching(/^project-.*\.json$/)]);
  expect(compaction("drop", "--list")).toMatch(/^\w{8} pin: Ship on Friday\.\n$/);
});
