import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-all-"));
  project = join(home, "work");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const init = (...args: string[]) =>
  runInside(["init", "--all", ...args], { cwd: project, env: { PATH: join(home, "bin"), NO_COLOR: "1", HOME: home } });

function put(file: string, text: string) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}

const read = (file: string) => readFileSync(join(project, file), "utf8");
const FILES = [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"];

describe("init --all", () => {
  beforeEach(() => {
    for (const folder of [".claude/projects", ".codex/sessions", ".pi/agent/sessions"])
      mkdirSync(join(home, folder), { recursive: true });
  });

  test("shows the change for each agent that is here, and writes nothing, when nobody can answer", async () => {
    const { stdout, exit } = await init();
    expect(exit).toBe(0);
    expect(stdout).toContain("Claude Code: would write .claude/settings.json\n");
    expect(stdout).toContain("Codex: would write .codex/hooks.json\n");
    expect(stdout).toContain(`pi: installs it itself:\n  pi install ${resolve(".")}\n`);
    expect(stdout).not.toContain("Gemini");
    expect(stdout).toContain("Nothing is written yet; this does it:\n  npx compaction-rules init --all --yes\n");
    expect(FILES.filter((file) => existsSync(join(project, file)))).toEqual([]);
  });

  test("writes all with --yes, says what each agent still needs, and gives every byte back with --remove", async () => {
    const own = '{\n  // mine\n  "model": "x"\n}\n';
    put("work/.claude/settings.json", own);
    const { stdout } = await init("--yes");
    expect(stdout).toContain("Done for Claude Code, Codex.\n");
    expect(stdout).toContain("Codex: Codex runs no hook that you have not looked at: start codex, type /hooks and trust them");
    expect(stdout).toContain("Claude Code: The agent must find compaction-rules on its path");
    expect(read(".claude/settings.json")).toContain("compaction-rules hook claude-code");
    expect(read(".codex/hooks.json")).toContain("compaction-rules hook codex");
    for (const file of FILES.slice(0, 2)) expect(read(file)).not.toContain(home);
    expect((await init("--yes")).stdout).toContain("Nothing to do.\n");

    const undone = await init("--remove", "--yes");
    expect(undone.exit).toBe(0);
    expect(read(".claude/settings.json")).toBe(own);
    expect(existsSync(join(project, ".codex"))).toBe(false);
    expect((await init("--remove", "--yes")).stdout).toContain("Nothing to do.\n");
  });

  test("removes what belongs to an agent that is gone", async () => {
    await init("--yes");
    rmSync(join(home, ".codex"), { recursive: true });
    await init("--remove", "--yes");
    expect(existsSync(join(project, ".codex"))).toBe(false);
  });

  test("wires the other agents when the settings of one cannot be edited, and exits with 1", async () => {
    put("work/.claude/settings.json", "{ broken");
    const { stderr, exit } = await init("--yes");
    expect(exit).toBe(1);
    expect(stderr).toContain("Claude Code: .claude/settings.json:1:3 cannot be edited");
    expect(read(".claude/settings.json")).toBe("{ broken");
    expect(read(".codex/hooks.json")).toContain("compaction-rules hook codex");
  });

  test("adds the server of tools to each agent that has one with --mcp", async () => {
    await init("--mcp", "--yes");
    expect(read(".mcp.json")).toContain('"mcp"');
    expect(read(".codex/config.toml")).toContain("compaction-rules");
  });

  test("is refused together with --host", async () => {
    const { stderr, exit } = await init("--host", "codex");
    expect([stderr, exit]).toEqual([
      "compaction: --host cannot be used with --all\n  → see npx compaction-rules init --help\n",
      2,
    ]);
  });
});

test("init --all says so when no agent is on the machine", async () => {
  const { stderr, exit } = await init("--yes");
  expect(stderr).toContain("none of the known agents is on this machine");
  expect(exit).toBe(2);
});
