import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Outcome, runInside, runSpawned } from "../cli/run-command.js";
import { trustAll } from "../cli/trust-all.js";

const PACK = `compaction: 1
name: team
guards:
  frozen: { on: { tool: edit, path: "src/legacy/**" }, then: once, say: "src/legacy is frozen." }
  forced: { on: { command: "git push --force" }, then: ask, say: "Never force-push." }
  locks: { on: { tool: edit, path: "*.lock" }, then: tell, say: "Run npm install instead." }
  keys: { on: { tool: read, path: "keys/**" }, then: refuse, say: "Keys are private.", unless: [user-allowed] }
`;

let folder: string;
let project: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-guards-"));
  project = join(folder, "project");
  mkdirSync(join(project, "src/legacy"), { recursive: true });
  writeFileSync(join(project, ".compactionrc"), "extends: [compaction:recommended, ./team.yaml]\n");
  writeFileSync(join(project, "team.yaml"), PACK);
  env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const command = (...args: string[]) => runInside(args, { cwd: project, env });
const FROZEN = { file_path: "src/legacy/a.ts", content: "x" };
const FORCED = { command: "git push --force" };

describe("Claude Code", () => {
  const transcript = () => join(folder, "session.jsonl");
  const says = (...texts: string[]) =>
    writeFileSync(
      transcript(),
      texts
        .map((text, index) => JSON.stringify({ type: "user", uuid: `u${index}`, message: { role: "user", content: text } }))
        .join("\n"),
    );
  /** In a process of its own, as the agent does it. */
  const call = (tool: string, input: object, { attended = "0", session = "s1", ...more } = {}) => {
    const event = { hook_event_name: "PreToolUse", session_id: session, cwd: project, tool_name: tool, tool_input: input };
    const given = JSON.stringify({ ...event, transcript_path: transcript(), ...more });
    const surroundings = { ...env, CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ATTENDED: attended };
    return runSpawned(["hook", "claude-code", "--call"], { cwd: project, env: surroundings, input: given }) as Outcome;
  };
  const outputOf = ({ stdout }: Outcome) => (stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput);
  const decisionOf = (outcome: Outcome) => outputOf(outcome)?.permissionDecision;

  test("is told, refused once, asked where somebody is there, and refused", async () => {
    await trustAll(command);
    says("Build it.");
    const told = call("Edit", { file_path: join(project, "yarn.lock") });
    expect(outputOf(told)).toEqual({ hookEventName: "PreToolUse", additionalContext: "Run npm install instead." });
    expect(call("Edit", { file_path: join(project, "yarn.lock") }).stdout).toBe("");
    expect(outputOf(call("Write", FROZEN))).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringMatching(/^src\/legacy is frozen\. /),
    });
    expect(call("Write", FROZEN).stdout).toBe("");
    expect(decisionOf(call("Write", FROZEN, { agent_id: "a1" } as object))).toBe("deny");
    expect(decisionOf(call("Bash", FORCED, { attended: "1" }))).toBe("ask");
    expect(decisionOf(call("Bash", FORCED))).toBe("deny");
    expect(decisionOf(call("Read", { file_path: "keys/a" }))).toBe("deny");
    expect(call("Read", { file_path: "src/a.ts" })).toEqual({ stdout: "", stderr: "", exit: 0 });
  });

  test("lets a call run that the user allows, by a name or as an answer, and not by other words", async () => {
    await trustAll(command);
    const reads = () => decisionOf(call("Read", { file_path: "keys/a" }));
    says("Yes, go ahead.");
    expect(reads()).toBe("deny");
    expect(reads()).toBeUndefined();
    for (const text of ["You may read the keys.", "It's fine to look at keys/a"]) {
      says("Build it.", text, "Go on with it.");
      expect(reads(), text).toBeUndefined();
    }
    for (const text of ["You may not read the keys.", "You may read the new docs now.", "Read keys/a."]) {
      says(text);
      expect(reads(), text).toBe("deny");
    }
    says("You may read the keys.", "No, leave the keys alone.");
    expect(reads()).toBe("deny");
  });

  test("only tells what a pack says that nobody trusts, and shows it to the user", async () => {
    const { stdout } = call("Bash", FORCED, { attended: "1" });
    const said = 'A file of this project, which the user has not trusted, says: "Never force-push."';
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: said },
      systemMessage: said,
    });
    await trustAll(command);
    expect(decisionOf(call("Bash", FORCED, { attended: "1" }))).toBe("ask");
    writeFileSync(join(project, "team.yaml"), PACK.replace("Never force-push", "Never push"));
    expect(decisionOf(call("Bash", FORCED, { attended: "1", session: "s2" }))).toBeUndefined();
  });

  test("lets calls run when the pack breaks, and hears a pin and the user's own guards all the same", async () => {
    await trustAll(command);
    await command("pin", "Never touch docs.", "--on", "edit:docs/**", "--then", "refuse");
    mkdirSync(join(folder, ".config/compaction-rules"), { recursive: true });
    const own = "guards: { pushes: { on: { command: git push }, then: refuse, say: Push by hand. } }\n";
    writeFileSync(join(folder, ".config/compaction-rules/config.yaml"), own);
    writeFileSync(join(project, "team.yaml"), "compaction: 1\nname: team\nguards: [");
    expect(call("Write", FROZEN)).toMatchObject({ stdout: "", exit: 0 });
    expect(outputOf(call("Write", { file_path: "docs/a.md" }))?.permissionDecisionReason).toBe("Never touch docs.");
    expect(outputOf(call("Bash", { command: "git push" }))?.permissionDecisionReason).toBe("Push by hand.");
  });

  test("follows links of the file system", async () => {
    await trustAll(command);
    symlinkSync(join(project, "src/legacy"), join(project, "other"));
    expect(decisionOf(call("Write", { file_path: "other/new.ts" }))).toBe("deny");
  });

  test("lets a call run whose event is broken, and is silent when switched off", async () => {
    await trustAll(command);
    const broken = runSpawned(["hook", "claude-code", "--call"], { cwd: project, env, input: "{" }) as Outcome;
    expect(broken.stdout).toBe("");
    expect(broken.exit).not.toBe(2);
    env = { ...env, COMPACTION_RULES: "off" };
    expect(call("Write", FROZEN).stdout).toBe("");
  });

  test("init writes a hook for the tools of the guards only, and none without guards", async () => {
    const { stdout } = await command("init", "--host", "claude-code");
    expect(/"PreToolUse": \[\{ "matcher": "([^"]+)"/.exec(stdout)?.[1]?.split("|")).toEqual(
      expect.arrayContaining(["Edit", "Write", "Read", "Bash"]),
    );
    writeFileSync(join(project, "team.yaml"), "compaction: 1\nname: team\n");
    expect((await command("init", "--host", "claude-code")).stdout).not.toContain("PreToolUse");
  });
});

/** Events as the agents' own programs sent them. */
const CODEX = { turn_id: "t1", model: "gpt-5", permission_mode: "default", hook_event_name: "PreToolUse", tool_use_id: "c1" };
const GEMINI = { timestamp: "2026-11-18T10:00:00.000Z", transcript_path: "/none" };
const COPILOT = { hook_event_name: "PreToolUse", timestamp: "2026-11-19T10:00:00.000Z" };

describe.each([
  {
    host: "codex",
    event: CODEX,
    names: { edit: "apply_patch", run: "Bash" },
    edit: (file: string) => ({ command: `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch` }),
    told: (text: string) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: text } }),
    asked: "deny",
  },
  {
    host: "copilot",
    event: COPILOT,
    names: { edit: "Edit", run: "Bash" },
    edit: (file: string) => ({ path: join(project, file), old_str: "a", new_str: "b" }),
    told: (text: string) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: text } }),
    // It refuses by itself where nobody is.
    asked: "ask",
  },
])("$host", ({ host, event, names, edit, told, asked }) => {
  const call = (tool: string, input: object) => {
    const given = JSON.stringify({ ...event, session_id: "s1", cwd: project, tool_name: tool, tool_input: input });
    return runSpawned(["hook", host, "--call"], { cwd: project, env, input: given }) as Outcome;
  };
  const outputOf = ({ stdout }: Outcome) => (stdout === "" ? undefined : JSON.parse(stdout));

  test("is told once, refused once, and asked or refused", async () => {
    await trustAll(command);
    expect(outputOf(call(names.edit, edit("yarn.lock")))).toEqual(told("Run npm install instead."));
    expect(call(names.edit, edit("yarn.lock")).stdout).toBe("");
    const refused = outputOf(call(names.edit, edit("src/legacy/a.ts")));
    expect(refused.hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringMatching(/^src\/legacy is frozen\. /),
    });
    expect(call(names.edit, edit("src/legacy/a.ts")).stdout).toBe("");
    expect(outputOf(call(names.run, FORCED)).hookSpecificOutput.permissionDecision).toBe(asked);
    expect(call(names.run, { command: "git push" })).toEqual({ stdout: "", stderr: "", exit: 0 });
  });

  test("init writes a hook for the tools of the guards only, which never stops a call by failing", async () => {
    const { stdout } = await command("init", "--host", host);
    const [, tools = "", line = ""] =
      /"PreToolUse": \[\{ "matcher": "([^"]+)".*?"command": "(.*?)", "timeout"/.exec(stdout) ?? [];
    expect(tools.split("|")).toEqual(expect.arrayContaining(["Edit", "Write", "Bash"]));
    expect(line).toMatch(host === "copilot" ? / --call \|\| exit 0$/ : / --call$/);
    await command("init", "--host", host, "--yes");
    expect((await command("init", "--host", host)).stdout).toContain("nothing to do");
    expect((await command("init", "--host", host, "--remove", "--yes")).stdout).toMatch(/^removed/);
  });
});

describe("gemini", () => {
  const call = (when: string, tool: string, input: object) => {
    const about = { hook_event_name: when, session_id: "s1", cwd: project, tool_name: tool, tool_input: input };
    const own = { ...env, GEMINI_PROJECT_DIR: project };
    return runSpawned(["hook", "gemini", "--call"], {
      ...{ cwd: project, env: own, input: JSON.stringify({ ...GEMINI, ...about }) },
    }) as Outcome;
  };

  test("is told behind the call, and refused before it", async () => {
    await trustAll(command);
    const lock = ["write_file", { file_path: "yarn.lock", content: "x" }] as const;
    expect(call("BeforeTool", ...lock).stdout).toBe("");
    expect(JSON.parse(call("AfterTool", ...lock).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "Run npm install instead." },
    });
    expect(call("AfterTool", ...lock).stdout).toBe("");
    const frozen = ["replace", { file_path: join(project, "src/legacy/a.ts"), old_string: "a", new_string: "b" }] as const;
    expect(JSON.parse(call("BeforeTool", ...frozen).stdout)).toEqual({
      decision: "deny",
      reason: expect.stringMatching(/^src\/legacy is frozen\. /),
    });
    expect(call("BeforeTool", ...frozen).stdout).toBe("");
    expect(call("AfterTool", ...frozen).stdout).toBe("");
    expect(JSON.parse(call("BeforeTool", "run_shell_command", FORCED).stdout).decision).toBe("deny");
  });

  test("only tells what a pack says that nobody trusts", () => {
    expect(call("BeforeTool", "run_shell_command", FORCED).stdout).toBe("");
    const { hookSpecificOutput, systemMessage } = JSON.parse(call("AfterTool", "run_shell_command", FORCED).stdout);
    expect(hookSpecificOutput.additionalContext).toBe(systemMessage);
    expect(systemMessage).toContain("which the user has not trusted");
  });

  test("init writes both events, with milliseconds", async () => {
    const { stdout } = await command("init", "--host", "gemini");
    for (const event of ["BeforeTool", "AfterTool"])
      expect(stdout).toMatch(new RegExp(`"${event}": .*write_file.*replace.*"timeout": 5000`));
  });
});

test("in Copilot CLI, which runs the hooks of Claude Code too, only its own one answers", async () => {
  await trustAll(command);
  const event = { ...COPILOT, session_id: "s1", cwd: project, tool_name: "Bash", tool_input: FORCED };
  const run = (host: string) =>
    runSpawned(["hook", host, "--call"], {
      ...{ cwd: project, env: { ...env, COPILOT_CLI: "1", COPILOT_PROJECT_DIR: project }, input: JSON.stringify(event) },
    }) as Outcome;
  expect(run("claude-code").stdout).toBe("");
  expect(run("copilot").stdout).toContain("ask");
});

test("doctor says where a gentler step is taken", async () => {
  await command("init", "--host", "codex", "--yes");
  const { stdout } = await command("doctor");
  expect(stdout).toContain("Codex: it cannot ask: guards that ask refuse the call until you allow it");
  expect(stdout).not.toMatch(/Claude Code: .*guards/);
});
