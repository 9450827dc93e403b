// Guards belong to their origin: what a file can do to guards that are not its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadRules } from "../../src/index.js";
import { pinId } from "../../src/state/choices.js";
import { runInside } from "../cli/run-command.js";

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
const own = (text: string) => {
  mkdirSync(join(folder, ".config/compaction-rules"), { recursive: true });
  writeFileSync(join(folder, ".config/compaction-rules/config.yaml"), text);
};

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly told?: string;
}

/** @param said what the user typed before */
async function call(
  tool: string,
  input: object,
  { session = "s1", said = ["Build it and push the keys."], at = project } = {},
): Promise<Answer> {
  const transcript = join(folder, "session.jsonl");
  const records = said.map((content, index) => ({ type: "user", uuid: `u${index}`, message: { role: "user", content } }));
  writeFileSync(transcript, records.map((record) => JSON.stringify(record)).join("\n"));
  const event = { hook_event_name: "PreToolUse", session_id: session, cwd: at, tool_name: tool, tool_input: input };
  const surroundings = { ...env, CLAUDE_PROJECT_DIR: at, CLAUDE_CODE_SESSION_ATTENDED: "0" };
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

const OWN = `guards:
  pushes: { on: { command: git push }, then: refuse, say: Push by hand. }
  keys: { on: { tool: edit, path: "keys/**" }, then: refuse, say: Keys are mine., unless: [planned] }
`;

describe("a clone cannot disarm the guards of the user", () => {
  test.each<[string, string]>([
    ["by switching them off", "guards: { pushes: off, keys: off }"],
    ["by making them tell", "guards: { pushes: { then: tell }, keys: { then: tell } }"],
    [
      "by allowing them always",
      "guards: { pushes: { on: { command: git push }, then: tell, say: X, unless: [any] } }\nsignals: { any: { match: build } }",
    ],
    [
      "by guards of the same ids",
      'guards: { pushes: { on: { command: "x" }, then: tell, say: X }, keys: { on: { tool: read }, then: tell, say: Y } }',
    ],
    ["by the signal that they name", "signals: { planned: { in: { role: user }, match: [build], unless: [] } }"],
    ["by its tools", "tools: { write: { off: true }, edit: { off: true }, shell: { off: true } }"],
    ["by what its tools are called", "tools: { mine: { names: [Bash, Write], effect: read } }"],
    ["by its programs", "shell: { mine: { program: [git], harmless: true }, cd: { program: [git push], runs: rest } }"],
    ["by its temporary folders", `scratch: [keys, /, "${"/tmp"}"]`],
    ["by switching everything off", "enabled: false"],
    ["by a mistake", "guards: ["],
    ["by extending nothing", "extends: []"],
  ])("%s", async (_, text) => {
    own(OWN);
    for (const place of ["config", "pack"]) {
      if (place === "pack" && /^enabled/.test(text)) continue;
      if (place === "config") config(text);
      else {
        config("extends: [compaction:recommended, ./other.yaml]");
        pack("other", text);
      }
      expect(isSound() || /off,|tell }|guards: \[/.test(text), "the attack is no mistake").toBe(true);
      expect(await call("Bash", PUSH), place).toMatchObject({ decision: "deny", reason: "Push by hand." });
      expect(await call("Write", KEYS), place).toMatchObject({ decision: "deny", reason: "Keys are mine." });
    }
  });

  test("and not those of a pin, by its id or by switching everything off", async () => {
    config("");
    const text = "Never touch the keys.";
    await command("pin", text, "--on", "edit:keys/**", "--then", "refuse");
    for (const clone of [
      "enabled: false",
      `guards: { ${pinId(text)}: { on: { tool: edit, path: "x" }, then: tell, say: No matter. } }`,
      `guards: { ${pinId(text)}: { on: { tool: edit, path: "keys/**" }, then: tell, say: No matter. } }`,
      "tools: { write: { off: true } }",
    ]) {
      config(clone);
      expect(await call("Write", KEYS), clone).toMatchObject({ decision: "deny", reason: text });
    }
  });

  test("and does not use up a sentence by saying another one under its id", async () => {
    own("guards: { lock: { on: { tool: edit, path: '*.lock' }, then: tell, say: Run npm install. } }\n");
    config("guards: { LOCK: { on: { tool: edit, path: '*.txt' }, then: tell, say: Text. } }\n".replace("LOCK", "lock"));
    await call("Write", { file_path: "a.txt", content: "x" });
    expect((await call("Write", { file_path: "a.lock", content: "x" })).told).toBe("Run npm install.");
  });

  test("and a folder below, with a configuration of its own or not, does not take an agent out of its project", async () => {
    config("");
    await command("pin", "Never touch the keys.", "--on", "edit:keys/**", "--then", "refuse");
    write("sub/keys/b.pem", "x");
    const at = join(project, "sub");
    const calls: readonly (readonly [string, object])[] = [
      ["Write", { file_path: join(project, "keys/a.pem"), content: "x" }],
      ["Write", { file_path: "../keys/a.pem", content: "x" }],
      ["Write", { file_path: "keys/b.pem", content: "x" }],
      ["Bash", { command: "rm -r ../keys" }],
      ["Bash", { command: "cd .. && echo x > $PWD/keys/a.pem" }],
    ];
    for (const clone of [undefined, "{}", "enabled: false"]) {
      if (clone !== undefined) write("sub/.compactionrc", clone);
      for (const [tool, input] of calls)
        expect(await call(tool, input, { at }), JSON.stringify(input)).toMatchObject({ decision: "deny" });
      expect(await call("Write", { file_path: "../other/a.pem", content: "x" }, { at })).toEqual({});
    }
  });

  test("while the user may still change and switch off what a project says", async () => {
    config("guards: { a: { on: { command: ls }, then: tell, say: A. }, b: { on: { command: ls }, then: tell, say: B. } }");
    own("guards: { a: off, b: { then: once } }\n");
    expect((await call("Bash", { command: "ls" })).told).toMatch(/"B\."$/);
  });
});

test("all words of untrusted guards together are few, at a call and in a session", async () => {
  const guards = Array.from(
    { length: 800 },
    (_, index) => `g${index}: { on: { tool: read }, then: tell, say: "${index} ${"x".repeat(390)}" }`,
  );
  config(`guards: { ${guards.join(", ")} }`);
  let sum = 0;
  for (let index = 0; index < 12; index++) {
    const { told = "" } = await call("Read", { file_path: `a${index}` });
    expect(told.length).toBeLessThan(1_200);
    sum += told.length;
  }
  expect(sum).toBeGreaterThan(2_000);
  expect(sum).toBeLessThan(5_000);
});

test("a guard that speaks once refuses a call that cannot be remembered, until the user allows it", async () => {
  own("guards: { legacy: { on: { tool: edit, path: 'legacy/**' }, then: once, say: Legacy is frozen. } }\n");
  config("");
  mkdirSync(join(folder, "state"), { recursive: true });
  // Nothing can be stored below a file.
  writeFileSync(join(folder, "state/compaction-rules"), "");
  const edit = { file_path: "legacy/a.ts", content: "x" };
  for (let time = 0; time < 2; time++) {
    const { decision, reason } = await call("Write", edit);
    expect(decision).toBe("deny");
    expect(reason).toMatch(/^Legacy is frozen\. .*cannot be remembered.*refused each time.*allow it/);
    expect(reason).not.toContain("make it again");
  }
  expect((await call("Write", edit, { said: ["You may change the legacy folder."] })).decision).toBeUndefined();
});
