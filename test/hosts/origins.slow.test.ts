// Guards of a file that the user trusts: what other files of the project can do to them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadRules } from "../../src/index.js";
import { runInside } from "../cli/run-command.js";
import { trustAll } from "../cli/trust-all.js";

let folder: string;
let project: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-origins-")));
  project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const command = async (...args: string[]) => runInside(args, { cwd: project, env });
function write(name: string, text: string) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}
const config = (text: string) => write(".compactionrc", text);
const pack = (name: string, text: string) => write(`${name}.yaml`, `compaction: 1\nname: ${name}\n${text}`);

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly told?: string;
}

/** @param said what the user typed before */
async function call(
  tool: string,
  input: object,
  { session = "s1", said = ["Build it and push the keys."] } = {},
): Promise<Answer> {
  const transcript = join(folder, "session.jsonl");
  const records = said.map((content, index) => ({ type: "user", uuid: `u${index}`, message: { role: "user", content } }));
  writeFileSync(transcript, records.map((record) => JSON.stringify(record)).join("\n"));
  const event = { hook_event_name: "PreToolUse", session_id: session, cwd: project, tool_name: tool, tool_input: input };
  const surroundings = { ...env, CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ATTENDED: "0" };
  const { stdout } = await runInside(["hook", "claude-code", "--call"], {
    ...{ cwd: project, env: surroundings },
    input: JSON.stringify({ ...event, transcript_path: transcript }),
  });
  const output = stdout === "" ? {} : JSON.parse(stdout).hookSpecificOutput;
  return { decision: output.permissionDecision, reason: output.permissionDecisionReason, told: output.additionalContext };
}
const isSound = () => loadRules(project).diagnostics.every(({ severity }) => severity !== "error");

const PUSH = { command: "git push origin main" };
const KEYS = { file_path: "keys/a.pem", content: "x" };

describe("a file that nobody trusts cannot disarm the guards of a trusted one", () => {
  const TEAM = `extends: [./signals.yaml]
guards:
  pushes: { on: { command: git push }, then: refuse, say: Push by hand., unless: [by-hand] }
  keys: { on: { tool: edit, path: "keys/**" }, then: refuse, say: Keys are ours. }
`;
  beforeEach(async () => {
    config("extends: [compaction:recommended, ./team.yaml]\n");
    pack("team", TEAM);
    pack("signals", "signals: { by-hand: { match: 'by hand' } }\n");
    await trustAll(command);
    expect((await call("Bash", PUSH)).decision).toBe("deny");
  });

  test.each<[string, string]>([
    ["by switching them off", "guards: { pushes: off, keys: off }"],
    ["by making them tell", "guards: { pushes: { then: tell }, keys: { then: tell } }"],
    ["by its signals", "signals: { by-hand: { match: [build] } }"],
    ["by its words and tools", "words: { hand: y }\ntools: { write: { off: true }, shell: { off: true } }"],
    [
      "by guards of the same ids",
      "guards: { pushes: { on: { tool: read }, then: tell, say: X }, keys: { on: { tool: read }, then: tell, say: Y } }",
    ],
    ["by more guards of its own", "guards: { more: { on: { command: git push }, then: tell, say: Go on. } }"],
    ["by a mistake", "guards: ["],
  ])("%s", async (_, text) => {
    pack("other", text);
    for (const order of ["./team.yaml, ./other.yaml", "./other.yaml, ./team.yaml"]) {
      config(`extends: [compaction:recommended, ${order}]\n`);
      expect(isSound() || /guards: \[|by-hand|hand: y|off,|tell }/.test(text), "the attack is no mistake").toBe(true);
      expect(await call("Bash", PUSH), order).toMatchObject({ decision: "deny", reason: "Push by hand." });
      expect(await call("Write", KEYS), order).toMatchObject({ decision: "deny", reason: "Keys are ours." });
    }
  });

  test.each(["enabled: false\n", "guards: { keys: off }\n", "tools: { write: { off: true } }\n", "extends: []\n"])(
    "by its configuration: %s",
    async (text) => {
      config(`${text.startsWith("extends") ? "" : text}extends: [./team.yaml]\n`);
      expect((await call("Write", KEYS)).decision).toBe("deny");
    },
  );

  test("and a signal of a file that the trusted one extends counts", async () => {
    expect((await call("Bash", PUSH, { said: ["We push by hand."] })).decision).toBeUndefined();
  });

  test("and trust ends when a file changes that the trusted one extends", async () => {
    pack("signals", "signals: { by-hand: { match: [build] } }\n");
    const answer = await call("Write", KEYS);
    expect(answer.decision).toBeUndefined();
    expect(answer.told).toMatch(/not trusted, says: "Keys are ours\."$/);
    pack("signals", "signals: { by-hand: { match: 'by hand' } }\n");
    expect((await call("Write", KEYS)).decision).toBe("deny");
  });
});
