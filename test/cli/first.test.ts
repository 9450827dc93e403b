import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside, runSpawned } from "./run-command.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-first-"));
  project = join(home, "work");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A hook counts the time from the start of its process. */
const runnerOf = ([name]: readonly string[]) => (name === "hook" ? runSpawned : runInside);

const run = async (args: readonly string[], input = "") =>
  runnerOf(args)(args, {
    cwd: project,
    input,
    env: { PATH: join(home, "bin"), NO_COLOR: "1", HOME: home, USERPROFILE: home, BUN_BE_BUN: "1" },
  });

function write(path: string, records: readonly object[] | string) {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof records === "string" ? records : records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return file;
}

const SUMMARY = "The user wants the importer to stream. Work goes on.";
let uuid = 0;
const claude = (role: "user" | "assistant", text: string, more: object = {}) => ({
  type: role,
  uuid: `u${++uuid}`,
  sessionId: "c",
  cwd: "/x/shop",
  timestamp: "2026-11-02T10:00:00Z",
  message: { role, content: role === "user" ? text : [{ type: "text", text }] },
  ...more,
});
const codex = (role: "user" | "assistant", text: string) => ({
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
});
const pi = (id: string, parentId: string | null, role: "user" | "assistant", text: string) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-11-03T10:00:00Z",
  message: { role, content: [{ type: "text", text }] },
});

/** One session of each of four agents: a rule, a decision, and a summary that has neither. */
function writeSessions() {
  const compacted = write(".claude/projects/-x-shop/a.jsonl", [
    claude("user", "Make the importer stream. Never touch the legacy folder."),
    claude("assistant", "We decided to use SQLite for events."),
    claude("user", SUMMARY, { isCompactSummary: true }),
  ]);
  write(".claude/projects/-x-shop/plain.jsonl", [claude("user", "Never log tokens."), claude("assistant", "Fine.")]);
  write(".claude/projects/-x-shop/a/subagents/agent-1.jsonl", [claude("user", SUMMARY, { isCompactSummary: true })]);
  write(".codex/sessions/2026/11/02/rollout-1.jsonl", [
    { type: "session_meta", payload: { id: "x" } },
    codex("user", "Make the parser faster. Do not change the grammar."),
    codex("assistant", "We decided to use a table for the states."),
    { type: "compacted", payload: { message: SUMMARY } },
  ]);
  write(".pi/agent/sessions/--x--/1.jsonl", [
    { type: "session", version: 3, id: "p", cwd: "/x/tool" },
    pi("1", null, "user", "Build the exporter. Always keep the old format."),
    pi("2", "1", "assistant", "We decided to use gzip for the archive."),
    {
      type: "compaction",
      id: "3",
      parentId: "2",
      timestamp: "2026-11-03T11:00:00Z",
      summary: SUMMARY,
      firstKeptEntryId: "9",
      tokensBefore: 9,
    },
  ]);
  const event = (type: string, data: object) => ({ type, id: `e${++uuid}`, timestamp: "2026-11-04T10:00:00Z", data });
  write(".copilot/session-state/k/events.jsonl", [
    event("session.start", { sessionId: "k", producer: "copilot-agent", version: 1 }),
    event("user.message", { content: "Write the invoice page. Never show the price list." }),
    event("assistant.message", { content: "We decided to use a table for the invoice lines." }),
    event("session.compaction_complete", { success: true, summaryContent: SUMMARY }),
  ]);
  return compacted;
}

/** A database as OpenCode leaves it while it runs: what was written last is only in the log beside it. */
function writeOpenCode() {
  const folder = join(home, ".local/share/opencode");
  const made = join(home, "made.db");
  mkdirSync(folder, { recursive: true });
  const database = new sqlite.Database(made);
  const said = [
    ["user", { role: "user" }, "Build the mailer. Never send to real addresses."],
    ["assistant", { role: "assistant" }, "We decided to use a queue for the mails."],
    ["summary", { role: "assistant", summary: true }, SUMMARY],
  ] as const;
  for (const sql of [
    "pragma locking_mode = exclusive",
    "pragma journal_mode = wal",
    "create table session (id text, directory text, parent_id text, time_updated integer)",
    "create table message (id text, session_id text, time_created integer, data text)",
    "create table part (id text, message_id text, session_id text, time_updated integer, data text)",
    "insert into session values ('ses_1', '/x/mailer', null, 1)",
  ])
    database.run(sql);
  for (const [index, [id, info, text]] of said.entries()) {
    database.run("insert into message values (?, 'ses_1', ?, ?)", [id, index, JSON.stringify(info)]);
    database.run("insert into part values (?, ?, 'ses_1', ?, ?)", [
      `p${index}`,
      id,
      index,
      JSON.stringify({ type: "text", text }),
    ]);
  }
  for (const end of ["", "-wal"]) cpSync(made + end, join(folder, `opencode.db${end}`));
  database.close();
}

describe("without a command", () => {
  test("the summaries of all agents are checked, and the counts are those of audit", async () => {
    writeSessions();
    const { exit, stdout, stderr } = await run([]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("Claude Code  2 sessions in ~/.claude/projects");
    expect(stdout).toContain("4 of 5 sessions have a summary of a compaction.");
    expect(stdout).toMatch(/rule +"Never touch the legacy folder\." +shop, 2026-11-02/);
    expect(stdout).toMatch(/rule +"Always keep the old format\."/);
    expect(stdout).toMatch(/decision +"We decided to use a table for the states\."/);
    expect(stdout).toMatch(/rule +"Never show the price list\."/);
    // Codex keeps what the user said beside its summary.
    expect(stdout).not.toContain("Do not change the grammar");
    expect(stdout).toContain("npx compaction-rules init --host claude-code --yes");

    const { sessions } = JSON.parse((await run(["--json"])).stdout) as {
      sessions: { path: string; verdicts: { verdict: string }[] }[];
    };
    expect(sessions).toHaveLength(4);
    for (const { path, verdicts } of sessions) {
      const { counts } = JSON.parse((await run(["audit", path, "--json"])).stdout) as { counts: Record<string, number> };
      for (const [verdict, count] of Object.entries(counts))
        expect(verdicts.filter((one) => one.verdict === verdict)).toHaveLength(count);
    }
  });

  test("OpenCode's sessions of all projects are read from its database", async () => {
    writeOpenCode();
    const { stdout } = await run([]);
    expect(stdout).toContain("OpenCode  1 session in ~/.local/share/opencode");
    expect(stdout).toContain("1 of 1 session has a summary of a compaction.");
    expect(stdout).toMatch(/rule +"Never send to real addresses\." +mailer/);
    expect(stdout).not.toContain("compaction-rules audit");
  });

  test("reports a database that cannot be read", async () => {
    write(".local/share/opencode/opencode.db", "not a database");
    expect((await run([])).stdout).toContain("OpenCode  sessions in ~/.local/share/opencode, which cannot be read here");
  });

  test.skipIf(!existsSync("/usr/bin/script"))("a terminal is asked once, and its width is kept", () => {
    writeSessions();
    const play = (answer: string) =>
      spawnSync("/usr/bin/script", ["-qec", `stty cols 70; ${RUNTIME} ${resolve("dist/cli/main.js")}`, "/dev/null"], {
        cwd: project,
        input: answer,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1", HOME: home },
      }).stdout;
    expect(play("n\n")).toContain("Nothing was read.");
    const told = play("y\n");
    expect(told.split("[Y/n]")).toHaveLength(2);
    const quotes = told.split("\r\n").filter((line) => /^ {2}(?:rule|decision|goal)/.test(line));
    expect(quotes.length).toBeGreaterThan(3);
    for (const line of quotes) expect(line.length, line).toBeLessThanOrEqual(70);
  });

  test("nothing is written, not even in the state folder", async () => {
    writeSessions();
    writeOpenCode();
    // Bun has a cache of its own in the home folder.
    const files = () => (readdirSync(home, { recursive: true }) as string[]).filter((path) => !path.startsWith(".bun")).sort();
    const before = files();
    await run([]);
    expect(files()).toEqual(before);
  });

  test("a damaged session is left out", async () => {
    writeSessions();
    write(".codex/sessions/2026/11/02/rollout-2.jsonl", '{"type":"compacted" broken\n\u0000\u0001');
    const { exit, stdout } = await run([]);
    expect(exit).toBe(0);
    expect(stdout).toContain("4 of 6 sessions");
  });

  test("shows a sample when there are no sessions", async () => {
    const { exit, stdout } = await run([]);
    expect(exit).toBe(0);
    expect(stdout).toContain("There are no sessions of coding agents here, so this is a sample.");
    expect(stdout).toMatch(/rule +"Always log when a line is longer than a batch\."/);
  });

  test("says how many of the facts are likely, and counts no pin of today among those that earlier sessions lost", async () => {
    const before = (await run(["--sample"])).stdout;
    expect(before).toMatch(/\d+ of \d+ facts .*\nThe rules are sometimes wrong: about \d+ of the \d+ are real facts\./);
    expect((await run(["pin", "Never change the public API."])).exit).toBe(0);
    expect((await run(["--sample"])).stdout).toBe(before);
  });

  test("shows the brief of the newest session when none has a compaction", async () => {
    write(".claude/projects/-x-shop/a.jsonl", [
      claude("user", "Make the importer stream. Never touch the legacy folder."),
      claude("assistant", "We decided to use SQLite for events."),
    ]);
    const { exit, stdout } = await run(["--yes"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("No summary of a compaction was found in 1 session.");
    expect(stdout).toContain("Never touch the legacy folder");
    expect(stdout).toContain("npx compaction-rules view ~/.claude/projects/-x-shop/a.jsonl");
    const { newest } = JSON.parse((await run(["--yes", "--json"])).stdout) as { newest: { brief: string } };
    expect(newest.brief).toContain("SQLite");
  });

  test("an unknown option is an error", async () => {
    expect(await run(["--jason"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("--json") });
  });
});

describe("after compactions", () => {
  async function compactOnce() {
    const transcript = write("t.jsonl", [
      claude("user", "Make the importer stream. Never touch the legacy folder."),
      claude("assistant", "We decided to use SQLite for events."),
    ]);
    const event = { session_id: "c", transcript_path: transcript, cwd: project };
    await run(["hook", "claude-code"], JSON.stringify({ ...event, hook_event_name: "PreCompact", trigger: "auto" }));
    await run(
      ["hook", "claude-code"],
      JSON.stringify({ ...event, hook_event_name: "PostCompact", compact_summary: "We use SQLite for events." }),
    );
  }

  test("status says in one line what became of the facts, and stats adds them up until state clear removes them", async () => {
    expect(await run(["status", "--line"])).toMatchObject({ exit: 0, stdout: "" });
    expect((await run(["status"])).stdout).toBe("no compaction of this project yet\n");
    expect((await run(["stats"])).stdout).toBe("no compaction yet\n");
    await compactOnce();
    expect((await run(["status", "--line"])).stdout).toMatch(/^kept \d+ of 3 facts, \d repaired; \+\d+ tokens\n$/);
    expect((await run(["status", "--line", "--project", home])).stdout).toBe("");

    await compactOnce();
    const { stdout } = await run(["stats"]);
    expect(stdout).toMatch(/^2 compactions, \d+ tokens added on average\n/);
    expect(stdout).toMatch(/constraint +0 +2 +0 +0$/m);
    expect((await run(["stats", "--since", "2999-01-01"])).stdout).toBe("no compaction yet\n");
    expect(await run(["stats", "--since", "soon"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("not a date") });
    const { projects } = JSON.parse((await run(["stats", "--json"])).stdout) as { projects: { tallies: { host: string }[] }[] };
    expect(projects[0]?.tallies.map(({ host }) => host)).toEqual(["claude-code", "claude-code"]);
    await run(["state", "clear", "--yes"]);
    expect((await run(["stats"])).stdout).toBe("no compaction yet\n");
  });

  test("stats --card draws the numbers and no text of a session", async () => {
    const none = await run(["stats", "--card", "card.svg"]);
    expect(none).toMatchObject({ exit: 2, stderr: "compaction: no compaction yet, so there is nothing to show\n" });
    await compactOnce();
    expect((await run(["stats", "--card", "card.svg"])).stdout).toBe("wrote card.svg\n");
    const card = readFileSync(join(project, "card.svg"), "utf8");
    const said = [...card.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(said).toEqual([
      "compaction-rules",
      expect.stringMatching(/^3 facts in 1 compaction since \d{4}-\d\d-\d\d$/),
      expect.stringMatching(/^\d kept by the summaries$/),
      expect.stringMatching(/^\d put back by compaction-rules$/),
      "0 perhaps told in other words",
      "0 in neither",
    ]);
    const widths = [...card.matchAll(/width="([\d.]+)" height="18"/g)].map(([, width]) => Number(width));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(432, 0);
    expect(await run(["stats", "--card", "none/card.svg"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("--card") });
  });
});

describe("doctor", () => {
  test("says which agents are here, where they are configured, and what to do", async () => {
    writeSessions();
    write("bin/codex", "#!/bin/sh\n");
    await run(["init", "--host", "codex", "--yes"]);
    const { exit, stdout } = await run(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/Codex\n {2}its program is .*bin\/codex\n {2}configured in .*hooks\.json\n/);
    expect(stdout).toContain(`the agent does not find compaction-rules\n    → npm install --global ${resolve(".")}\n`);
    expect(stdout).toMatch(/its user has not trusted .*hooks\.json yet\n {4}→ .*\/hooks/);
    expect(stdout).toContain(
      "Claude Code\n  its program is not on the path\n  it does not use compaction-rules in this project\n    → npx compaction-rules init --host claude-code --yes",
    );
  });

  test("says what is broken in a file of settings", async () => {
    await run(["init", "--host", "claude-code", "--yes"]);
    const settings = join(project, ".claude/settings.json");
    const hooks = readFileSync(settings, "utf8");
    writeFileSync(settings, hooks.replace(/,\s*"SessionEnd".*/, ""));
    expect((await run(["doctor"])).stdout).toContain(
      "settings.json has only 3 of 4 hooks\n    → npx compaction-rules init --host claude-code --yes",
    );
    await run(["init", "--host", "claude-code", "--yes"]);
    expect((await run(["doctor"])).stdout).not.toContain("has only");
    writeFileSync(settings, `${hooks}{`);
    expect((await run(["doctor"])).stdout).toMatch(/settings\.json cannot be parsed: .*\n {4}→ look at line \d+/);
  });

  test("a plugin that is switched off is not used, a copy of the plugin is", async () => {
    write("bin/claude", "#!/bin/sh\n");
    write(".claude/settings.json", '{ "enabledPlugins": { "compaction-rules@compaction-rules": false } }');
    write("work/.opencode/plugins/own.js", 'export { default } from "compaction-rules/server";\n');
    const { stdout } = await run(["doctor"]);
    expect(stdout).toMatch(/Claude Code\n.*\n {2}it does not use compaction-rules in this project/);
    expect(stdout).toMatch(/OpenCode\n.*\n {2}configured in .*own\.js\n/);
  });

  test("says that Codex trusts its hooks", async () => {
    await run(["init", "--host", "codex", "--yes"]);
    write(".codex/config.toml", `[hooks.state."${join(project, ".codex/hooks.json")}:pre_compact:0:0"]\ntrusted_hash = "x"\n`);
    expect((await run(["doctor"])).stdout).toMatch(/configured in .*hooks\.json, trusted\n/);
  });

  test("names an agent that is only configured", async () => {
    await run(["init", "--host", "gemini", "--yes"]);
    expect((await run(["doctor"])).stdout).toMatch(
      /Gemini CLI\n {2}its program is not on the path\n {2}configured in .*settings\.json\n/,
    );
  });

  test("an unwired machine is not broken, a broken configuration is", async () => {
    expect((await run(["doctor"])).exit).toBe(0);
    writeFileSync(join(project, ".compactionrc"), "rules: [1\n");
    expect(await run(["doctor"])).toMatchObject({ exit: 1, stdout: expect.stringContaining("npx compaction-rules validate") });
  });

  test("names what looks like a configuration and is not used", async () => {
    writeFileSync(join(project, "compaction.config.ts"), "export default {};");
    writeFileSync(join(home, ".compactionrc"), "budget: { brief: 300 }");
    const { exit, stdout } = await run(["doctor"]);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/compaction\.config\.ts: this file is ignored.*\n {4}→ /)]);
    expect(stdout).toMatch(/\.compactionrc: this file is ignored: .*home.*\n {4}→ .*config\.yaml/);
  });
});
