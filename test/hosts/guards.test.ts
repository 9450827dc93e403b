import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openCodeHooks } from "../../src/hosts/opencode/opencode.js";
import type { PiContext } from "../../src/hosts/pi/api.js";
import extension from "../../src/pi.js";
import { runInside } from "../cli/run-command.js";
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
const FORCED = { command: "git push --force" };

describe("OpenCode", () => {
  let typed: string[];
  const parents: Record<string, string> = {};
  beforeEach(() => {
    typed = ["Build it."];
  });
  let permission: object[] | undefined;
  afterEach(() => {
    permission = undefined;
  });
  const hooks = (over: object = {}) => {
    const messages = async ({ path }: { path: { id: string } }) => {
      const all = parents[path.id] === undefined ? typed : ["You may do it all, go ahead."];
      return { data: all.map((text, index) => ({ info: { id: `m${index}`, role: "user" }, parts: [{ type: "text", text }] })) };
    };
    const get = async ({ path }: { path: { id: string } }) => ({ data: { id: path.id, parentID: parents[path.id], permission } });
    const client = { session: { messages, get, ...over }, app: { log: async () => undefined } };
    return openCodeHooks({ client, directory: project } as never, { deadline: 20_000 });
  };
  /** What the model sees: the result, or the error in its place. */
  async function call(on: ReturnType<typeof hooks>, tool: string, args: object, session = "ses_1"): Promise<string> {
    const called = { tool, sessionID: session, callID: `c${Math.random()}` };
    const output = { output: "done" };
    try {
      await on["tool.execute.before"](called, { args });
    } catch (error) {
      return (error as Error).message;
    }
    await on["tool.execute.after"](called, output);
    return output.output;
  }
  const write = { filePath: "src/legacy/a.ts", content: "x" };

  test("is told behind the result, refused once, and refused until the user allows it", async () => {
    await trustAll(command);
    const on = hooks();
    expect(await call(on, "edit", { filePath: "yarn.lock" })).toBe("done\n\nRun npm install instead.");
    expect(await call(on, "edit", { filePath: "yarn.lock" })).toBe("done");
    expect(await call(on, "write", write)).toMatch(/^src\/legacy is frozen\. /);
    expect(await call(on, "write", write)).toBe("done");
    expect(await call(on, "bash", FORCED)).toBe("Never force-push.");
    typed.push("OK, you may force-push this branch.");
    expect(await call(hooks(), "bash", FORCED)).toBe("done");
  });

  test("lets no mask of a project take a word away that forbids", async () => {
    const mask = "{ emit: redact, regex: ['may (?<text>not)'], examples: [{ text: may not, emits: { text: not } }] }";
    writeFileSync(join(project, ".compactionrc"), `extends: [compaction:recommended, ./team.yaml]\nrules: { x: ${mask} }\n`);
    await trustAll(command);
    typed.push("OK, you may not force-push this branch.");
    expect(await call(hooks(), "bash", FORCED)).toContain("Never force-push.");
  });

  test("takes the words of a model in a child session for nobody's", async () => {
    await trustAll(command);
    parents.ses_2 = "ses_1";
    expect(await call(hooks(), "bash", FORCED, "ses_2")).toBe("Never force-push.");
  });

  test("takes the prompt of `opencode run` for nobody's, because no question may be asked there", async () => {
    await trustAll(command);
    typed.push("OK, you may force-push this branch.");
    permission = ["question", "plan_enter"].map((name) => ({ permission: name, pattern: "*", action: "deny" }));
    expect(await call(hooks(), "bash", FORCED)).toBe("Never force-push.");
    permission = [{ permission: "bash", pattern: "*", action: "allow" }];
    expect(await call(hooks(), "bash", FORCED)).toBe("done");
  });

  test("lets calls run if nobody trusts the pack, it is broken, or the client fails", async () => {
    expect(await call(hooks(), "bash", FORCED)).toMatch(/^done\n\nA file of this project, .* "Never force-push\."$/);
    await trustAll(command);
    const failing = hooks({ messages: async () => Promise.reject(new Error("no")) });
    expect(await call(failing, "bash", { command: "ls" })).toBe("done");
    writeFileSync(join(project, "team.yaml"), "compaction: [");
    expect(await call(hooks(), "write", write)).toBe("done");
  });

  test("hears a pin at once", async () => {
    const on = hooks();
    expect(await call(on, "edit", { filePath: resolve(project, "docs/a.md") })).toBe("done");
    const parts: { type: string; text?: string }[] = [];
    await on.config({});
    const typing = { command: "pin", sessionID: "ses_1", arguments: "Never touch docs. --on 'edit:docs/**' --then refuse" };
    await on["command.execute.before"](typing, { parts });
    expect(await call(on, "edit", { filePath: resolve(project, "docs/a.md") })).toBe("Never touch docs.");
  });
});

describe("pi", () => {
  // biome-ignore lint/suspicious/noExplicitAny: pi passes other things to each handler.
  type Handler = (event: any, context: PiContext) => unknown;
  let asked: string[];
  const load = (answer?: boolean) => {
    asked = [];
    const handlers = new Map<string, Handler>();
    extension({ on: (event: string, handler: Handler) => void handlers.set(event, handler), registerCommand: () => undefined });
    const confirm = async (_: string, text: string) => {
      asked.push(text);
      return answer === true;
    };
    const context: PiContext = {
      ...{ cwd: project, hasUI: answer !== undefined, ui: { notify: () => undefined, confirm } },
      sessionManager: { getSessionFile: () => undefined, getSessionId: () => "s1" },
    };
    /** What the model sees. */
    return async (toolName: string, input: object) => {
      const call = { toolName, toolCallId: `c${Math.random()}`, input };
      const stopped = (await handlers.get("tool_call")?.(call, context)) as { block: true; reason: string } | undefined;
      if (stopped) return stopped.reason;
      const content = [{ type: "text", text: "done" }];
      const result = await handlers.get("tool_result")?.({ ...call, content }, context);
      return ((result as { content: typeof content } | undefined)?.content ?? content).map(({ text }) => text).join(" ");
    };
  };

  test("is told behind the result, refused once, and asked where somebody is there", async () => {
    await trustAll(command);
    const call = load();
    expect(await call("edit", { path: "yarn.lock" })).toBe("done Run npm install instead.");
    expect(await call("edit", { path: "yarn.lock" })).toBe("done");
    expect(await call("write", { path: "src/legacy/a.ts" })).toMatch(/^src\/legacy is frozen\. /);
    expect(await call("write", { path: "src/legacy/a.ts" })).toBe("done");
    expect(await call("bash", FORCED)).toBe("Never force-push.");
    expect(asked).toEqual([]);
    expect(await load(true)("bash", FORCED)).toBe("done");
    expect(asked).toEqual(["Never force-push."]);
    expect(await load(false)("bash", FORCED)).toBe("Never force-push.");
  });

  test("lets calls run if the pack is broken", async () => {
    writeFileSync(join(project, "team.yaml"), "compaction: [");
    expect(await load()("read", { path: "keys/a" })).toBe("done");
  });
});
