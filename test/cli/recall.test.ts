import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-recall-"));
  project = join(home, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function run(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home, BUN_BE_BUN: "1", ...more };
  const all = [resolve("dist/cli/main.js"), ...args];
  const { status, stdout, stderr } = spawnSync(RUNTIME, all, { cwd: project, encoding: "utf8", env });
  return { status, stdout, stderr };
}

let uuid = 0;
const claude = (role: "user" | "assistant", text: string, day = "02", content: readonly object[] = []) => ({
  type: role,
  uuid: `u${++uuid}`,
  sessionId: "c",
  cwd: project,
  timestamp: `2026-11-${day}T10:00:00Z`,
  message: { role, content: role === "user" && content.length === 0 ? text : [{ type: "text", text }, ...content] },
});
const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

function write(records: readonly object[], name = "c") {
  const file = join(home, ".claude/projects/-shop", `${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines(records));
  return file;
}

const TALK = () => [
  claude("user", "Which database should hold the events? Never touch the legacy folder."),
  claude("assistant", "We decided to use SQLite for events because it needs no server."),
  claude("assistant", "I run the integration tests now.", "02", [
    { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm run test:integration -- --bail" } },
  ]),
];
const results = (...args: readonly string[]) =>
  (JSON.parse(run(["find", "--json", "--yes", ...args]).stdout) as { results: Record<string, string>[] }).results;

describe("find", () => {
  test("is off until the user says yes once", () => {
    write(TALK());
    const refused = run(["find", "events"]);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("recall is off") });
    expect(existsSync(join(home, ".local/state/compaction-rules/recall.db"))).toBe(false);
    expect(run(["find", "--yes", "events"]).status).toBe(0);
    expect(run(["find", "events"]).status).toBe(0);
    run(["state", "clear"]);
    expect(existsSync(join(home, ".local/state/compaction-rules/recall.db"))).toBe(false);
    expect(run(["find", "events"]).status).toBe(2);
  });

  test("answers a question in plain words, with who, when and where", () => {
    write(TALK());
    const [first] = results("What did we decide about the database for events?");
    expect(first).toMatchObject({ kind: "decision", by: "assistant", place: "c#m2", status: "active" });
    expect(first?.text).toContain("SQLite for events");
    expect(run(["find", "SQLite", "server"]).stdout).toMatch(
      /^decision {2}assistant {2}2026-11-02 {2}c#m2\n {2}We decided to use SQLite/,
    );
    expect(results("which command ran the integration tests", "--kind", "run")[0]?.text).toContain(
      "npm run test:integration -- --bail",
    );
  });

  test("prints no passage twice when results of a message overlap", () => {
    const sentences = Array.from(
      { length: 30 },
      (_, index) => `The **queue** of step ${index} waits for worker number ${index * 7} before it starts the import.`,
    );
    write([claude("user", "How do the queues work?"), claude("assistant", `- ${sentences.join("\n- ")}`)]);
    const texts = results("queue worker import", "--most", "8").map(({ text = "" }) => text.replace(/\W+/g, " ").trim());
    expect(texts.length).toBe(8);
    const words = texts.flatMap((text) => [...text.matchAll(/number \d+ before it/g)].map(String));
    expect(words.length).toBeGreaterThan(8);
    expect(new Set(words).size).toBe(words.length);
    const steps = texts.flatMap((text) => [...text.matchAll(/of step \d+ waits/g)].map(String));
    expect(new Set(steps).size).toBe(steps.length);
  });

  test("nothing found is no error, but says so", () => {
    write(TALK());
    expect(run(["find", "--yes", "zeppelin"])).toMatchObject({
      status: 1,
      stdout: "nothing was found in 1 session of this project\n",
    });
    expect(run(["find", "--yes"])).toMatchObject({ status: 2 });
    expect(run(["find", "events", "--kind", "decison"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"decision"'),
    });
    expect(run(["find", "events", "--session", "c"]).status).toBe(0);
    expect(run(["find", "events", "--session", "[c*"]).status).toBe(1);
  });

  test("knows new and changed sessions, and forgets those that are gone", () => {
    const file = write(TALK());
    expect(results("zebra")).toEqual([]);
    appendFileSync(file, lines([claude("user", "The zebra job must run at night.", "03")]));
    expect(results("zebra")).toHaveLength(1);
    write([claude("user", "Another zebra appears.", "04")], "d");
    expect(results("zebra")).toHaveLength(2);
    expect(results("zebra", "--since", "2026-11-04")).toHaveLength(1);
    rmSync(file);
    expect(results("zebra")).toHaveLength(1);
  });

  test("keepDays of the project ends old sessions", () => {
    const old = new Date(Date.now() - 20 * 86_400_000);
    utimesSync(write(TALK()), old, old);
    expect(results("SQLite").length).toBeGreaterThan(0);
    writeFileSync(join(project, ".compactionrc"), "keepDays: 30\n");
    expect(results("SQLite").length).toBeGreaterThan(0);
    writeFileSync(join(project, ".compactionrc"), "keepDays: 10\n");
    expect(results("SQLite")).toEqual([]);
  });

  test("only this project's sessions, and not what the user dropped", () => {
    write([...TALK(), { ...claude("user", "unrelated"), cwd: project }]);
    write([{ ...claude("user", "We decided to use SQLite for events elsewhere."), cwd: join(home, "other") }], "other");
    const [first] = results("SQLite events");
    expect(results("SQLite events elsewhere").every(({ text }) => !text?.includes("elsewhere"))).toBe(true);
    run(["drop", first?.fact ?? ""]);
    expect(results("SQLite events").every(({ fact }) => fact !== first?.fact)).toBe(true);
  });

  test("what was taken back says so, and names what replaced it", () => {
    write([
      claude("assistant", "We decided to use Redis for the queue."),
      claude("user", "Actually, let's use Postgres for the queue instead of Redis."),
    ]);
    const old = results("Redis queue").find(({ text }) => text?.includes("use Redis for the queue."));
    expect(old).toMatchObject({ status: "superseded" });
    expect(run(["find", "Redis", "queue"]).stdout).toContain("no longer so");
  });

  test("of a project that is switched off, nothing is told", () => {
    write(TALK());
    run(["find", "--yes", "events"]);
    writeFileSync(join(project, ".compactionrc"), "enabled: false\n");
    expect(run(["find", "events"])).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("switched off") });
    rmSync(join(project, ".compactionrc"));
    expect(run(["find", "events"], { COMPACTION_RULES: "off" }).status).toBe(2);
  });

  test("a damaged index is built again", () => {
    write(TALK());
    run(["find", "--yes", "events"]);
    const index = join(home, ".local/state/compaction-rules/recall.db");
    for (const damage of [
      Buffer.from("not a database at all, but long enough to look like one"),
      readFileSync(index).fill(7, 100, 30_000),
    ]) {
      writeFileSync(index, damage);
      expect(results("SQLite")[0]?.text).toContain("We decided");
    }
  });

  test("no secret is in the index or in an answer", () => {
    const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    write([
      claude("user", `Use the token ${token} for the upload.`),
      claude("assistant", "I upload it.", "02", [
        {
          type: "tool_use",
          id: "t1",
          name: "Bash",
          input: { command: `curl -H "Authorization: Bearer ${token}" example.org/upload` },
        },
      ]),
    ]);
    const { stdout, stderr } = run(["find", "--yes", "--json", "token upload curl"]);
    expect(stdout).toContain("upload");
    expect(stdout + stderr).not.toContain(token);
    expect(readFileSync(join(home, ".local/state/compaction-rules/recall.db")).includes(token)).toBe(false);
    expect(run(["show", "c#m1"]).stdout).toContain("Use the token");
    expect(run(["show", "c#m1"]).stdout).not.toContain(token);
  });
});

describe("show", () => {
  test("prints the messages around a place", () => {
    const file = write(TALK());
    run(["find", "--yes", "events"]);
    const { stdout } = run(["show", "c#m2"]);
    expect(stdout).toMatch(/message +m1 by user[^\n]*\n> Which database/);
    expect(stdout).toContain("> We decided to use SQLite for events");
    expect(run(["show", `${file}#m1`, "--around", "2", "--json"]).stdout).toContain('"name": "m3"');
    expect(run(["show", "c#m99"]).status).toBe(2);
    expect(run(["show", "nobody#m1"])).toMatchObject({ status: 2, stderr: expect.stringContaining("no known session") });
    expect(run(["show", "m1"]).status).toBe(2);
  });
});

describe("decisions", () => {
  test("lists what was decided by date, with who said it and where", () => {
    write([
      claude("assistant", "We decided to use SQLite for events because it needs no server.", "03"),
      claude("assistant", "We decided to use Redis for the queue.", "02"),
      claude("user", "We decided against GraphQL.", "02"),
    ]);
    const { stdout, status } = run(["decisions", "--yes"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^# Decisions\n\n## 2026-11-03\n\n- We decided to use SQLite .*\(assistant, `c#m1`\)\n\n## 2026-11-02\n/,
    );
    expect(stdout).toContain("Not: We decided against GraphQL.");
    expect(JSON.parse(run(["decisions", "--format", "json"]).stdout).decisions).toHaveLength(3);
  });
});
