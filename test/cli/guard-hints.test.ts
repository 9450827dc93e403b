// What pin, guard, rules and drop say where a rule does not speak, or is not kept.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "compaction-hints-")));
  project = join(home, "work");
  mkdirSync(join(project, "src/legacy"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]) => runInside(args, { cwd: project, env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: home } });

function write(file: string, text: string): string {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
  return join(home, file);
}

describe("pin --on", () => {
  test.each([
    ["claude-code", ".claude/settings.json", 4],
    ["codex", ".codex/hooks.json", 4],
    ["gemini", ".gemini/settings.json", 1],
  ])("says that %s has no hook before calls, and is silent when it has", async (host, file, hooks) => {
    await run("init", "--host", host, "--yes");
    const { stdout } = await run("pin", "Never touch src/legacy.", "--on", "edit:src/legacy/**");
    expect(stdout).toMatch(
      new RegExp(`${file.replaceAll(".", "\\.")} has only ${hooks} of \\d hooks, so the guard does not speak`),
    );
    expect(stdout).toContain(`\n  npx compaction-rules init --host ${host} --yes\n`);
    await run("init", "--host", host, "--yes");
    expect(readFileSync(join(project, file), "utf8")).toMatch(/--call/);
    expect((await run("pin", "Never touch src/vendor.", "--on", "edit:src/vendor/**")).stdout).not.toContain("has only");
  });

  test("says nothing of hooks to a pin without a guard, or where no agent has hooks", async () => {
    expect((await run("pin", "Keep it.", "--on", "edit:src/**")).stdout).not.toContain("hooks");
    await run("drop", "--list");
    await run("init", "--host", "codex", "--yes");
    expect((await run("pin", "Keep the API.")).stdout).not.toContain("hooks");
  });

  test("says that the plugin of Claude Code hears of no calls, until init has written the hooks", async () => {
    write(".claude/settings.json", JSON.stringify({ enabledPlugins: { "compaction-rules-local@compaction-rules": true } }));
    const said = "Claude Code has the plugin, but no hook before calls";
    const pin = async (folder: string) => (await run("pin", `Leave ${folder}.`, "--on", `edit:${folder}/**`)).stdout;
    expect((await run("pin", "Keep the API.")).stdout).not.toContain(said);
    expect(await pin("vendor")).toContain(`${said}, so the guard does not speak there yet:\n  npx compaction-rules init`);
    expect((await run("doctor")).stdout).toContain(said);
    await run("init", "--host", "claude-code", "--yes");
    expect(await pin("legacy")).not.toContain("does not speak");
    expect((await run("doctor")).stdout).not.toContain(said);
  });

  test("guard --yes says so too", async () => {
    await run("init", "--host", "claude-code", "--yes");
    const [, id = ""] = /pinned (\w+)/.exec((await run("pin", "Never touch src/legacy.")).stdout) ?? [];
    expect((await run("guard", id, "--yes")).stdout).toContain("has only 4 of 5 hooks, so the guard does not speak there yet");
  });
});

const SAID = "Add rate limiting to the upload API. Never touch src/legacy, the app needs it.";

test("rules says which rules later sessions are not told, and how to keep them", async () => {
  const record = (type: string, content: unknown) =>
    JSON.stringify({ type, uuid: type, sessionId: "s", cwd: project, entrypoint: "cli", message: { role: type, content } });
  const answer = record("assistant", [{ type: "text", text: "Done." }]);
  const file = write(".claude/projects/-x/s.jsonl", `${record("user", SAID)}\n${answer}\n`);
  const { stdout } = await run("rules");
  expect(stdout).toContain("Later sessions are not told 1 of these rules.");
  expect(stdout).toContain("npx compaction-rules pin TEXT");
  // The same as a document: nobody typed it.
  expect((await run("rules", write("s.md", `**User:** ${SAID}\n\n**Assistant:** Done.\n`))).stdout).not.toContain(
    "Later sessions",
  );
  expect((await run("rules", "--json", file)).stdout).not.toContain("Later sessions");
});

describe("guard knows the ids that rules prints", () => {
  const idIn = (stdout: string) => /typed ([0-9a-f]{8})/.exec(stdout)?.[1] ?? "";

  test("of the newest session of the project", async () => {
    const record = { type: "user", uuid: "u1", sessionId: "s", cwd: project, message: { role: "user", content: SAID } };
    write(".claude/projects/-x/s.jsonl", `${JSON.stringify(record)}\n`);
    const { stdout } = await run("rules");
    expect(await run("guard", idIn(stdout))).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("--on 'edit:src/legacy/**' --then once"),
    });
  });

  test("of a session that is named", async () => {
    const file = write("s.md", `**User:** ${SAID}\n\n**Assistant:** Done.\n`);
    const id = idIn((await run("rules", file)).stdout);
    expect((await run("guard", id, file)).stdout).toContain("--on 'edit:src/legacy/**'");
    expect(await run("guard", id)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`npx compaction-rules guard ${id} SESSION`),
    });
  });
});
