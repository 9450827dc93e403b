import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "compaction-handoff-")));
  project = join(home, "work");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = async (...args: readonly string[]) =>
  runInside(["handoff", ...args], { cwd: project, env: { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home } });

/** @param hours since 2026 began */
function write(path: string, hours: number, records: readonly object[]) {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  utimesSync(file, new Date(2026, 0, 1, hours), new Date(2026, 0, 1, hours));
}

const claude = (name: string, hours: number, cwd: string, text: string) =>
  write(`.claude/projects/${name}/a.jsonl`, hours, [
    {
      type: "user",
      uuid: "u1",
      sessionId: name,
      cwd,
      timestamp: "2026-11-02T10:00:00Z",
      message: { role: "user", content: text },
    },
  ]);
const codex = (hours: number, cwd: string, text: string) =>
  write(".codex/sessions/2026/11/02/rollout-1.jsonl", hours, [
    { type: "session_meta", payload: { id: "x", cwd } },
    { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text }] } },
  ]);

test("hands over the newest session of the project, whatever agent it is of", async () => {
  claude("-work", 1, project, "Make the importer stream. Never touch the legacy folder.");
  claude("-other", 9, join(home, "other"), "Build the mailer. Never send to real addresses.");
  codex(2, project, "Write the exporter. Never drop a column.");
  const { exit, stdout } = await run();
  expect(exit).toBe(0);
  expect(stdout).toContain("Never drop a column.");
  expect(stdout).not.toMatch(/legacy|real addresses/);
  codex(0, project, "Write the exporter. Never drop a column.");
  expect((await run()).stdout).toContain("Never touch the legacy folder.");
});

test("masks secrets, and lets nobody else read the file", async () => {
  const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  claude("-work", 1, project, `Make the importer stream. Always use ${key} for the mirror.`);
  const out = join(home, "handoff.md");
  const { exit, stderr } = await run("--out", out);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: `wrote ${out}\n` });
  if (process.platform !== "win32") expect(statSync(out).mode & 0o777).toBe(0o600);
  const { stdout } = await run("--json");
  expect(stdout).toContain("for the mirror");
  expect(stdout).not.toContain(key);
});

test.each([100, 300, 2_000])("stays within %i tokens", async (tokens) => {
  const many = Array.from({ length: 80 }, (_, at) => `Never touch the folder legacy/part${at}.`).join(" ");
  claude("-work", 1, project, `Make the importer stream. ${many}`);
  const { stdout } = await run("--tokens", String(tokens));
  expect(stdout.length).toBeLessThan(tokens * 6);
});
