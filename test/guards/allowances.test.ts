// What counts as the user's word for a call, and what does not, on invented sentences. The first line of each set says who wrote it,
// when, and what was seen of it since. Only the failures of the last set were never read.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createAllowance } from "../../src/guards/allowed.js";
import { exampleContext, toExampleCall } from "../../src/guards/examples.js";
import { matchGuards } from "../../src/guards/match-guards.js";
import { type Message, readSession, type Session } from "../../src/index.js";
import { compileCall } from "../../src/rules/compile/guards.js";
import type { Guard } from "../../src/rules/guard.js";
import { builtInRules, type LoadedRules } from "../../src/rules/load-rules.js";

interface Sample {
  readonly guard: string;
  readonly said: string;
  readonly spoke?: boolean;
  readonly earlier?: readonly string[];
}

/** What a guard is for, and the call that meets it. */
type On = readonly [object, object];

interface Sets {
  readonly guards?: Readonly<Record<string, On>>;
  readonly allowed?: readonly Sample[];
  readonly refused?: readonly Sample[];
}

const GUARDS: Readonly<Record<string, On>> = {
  legacy: [{ tool: ["edit"], path: ["src/legacy/**"] }, { path: "src/legacy/cart.ts" }],
  migrations: [{ tool: ["edit"], path: ["db/migrations/**"] }, { path: "db/migrations/0007_users.sql" }],
  lock: [{ tool: ["edit"], path: ["package-lock.json"] }, { path: "package-lock.json" }],
  workflows: [{ tool: ["edit"], path: [".github/workflows/**"] }, { path: ".github/workflows/release.yml" }],
  vendor: [{ tool: ["delete"], path: ["vendor/**"] }, { command: "rm -r vendor" }],
  keys: [
    { tool: ["read"], path: ["keys/**"] },
    { tool: "read", path: "keys/prod.pem" },
  ],
  force: [{ command: ["git push"], has: ["--force", "-f"] }, { command: "git push --force origin main" }],
  publish: [{ command: ["npm publish"] }, { command: "npm publish --access public" }],
  terraform: [{ command: ["terraform apply"] }, { command: "terraform apply -auto-approve" }],
};

let loaded: LoadedRules;
beforeAll(() => {
  loaded = builtInRules();
});

function allows(id: string, session: Pick<Session, "messages" | "typed">, spoke: () => boolean, guards = GUARDS): boolean {
  const { rules } = loaded;
  const [on, call] = guards[id] ?? [{}, {}];
  const guard = { id, does: "ask", say: "No.", unless: ["user-allowed"], ...compileCall(on as never, rules) } as Guard;
  const [met] = matchGuards([guard], toExampleCall(call as never, guard, rules), exampleContext(rules)).met;
  if (!met) throw new Error(`${id} is not met`);
  return createAllowance(session, rules, spoke)(met);
}

function isAllowed({ guard, said, spoke = false, earlier = [] }: Sample, guards: typeof GUARDS): boolean {
  const messages = [...earlier, said].map((text, index): Message => ({ id: `m${index}`, role: "user", text, toolCalls: [] }));
  return allows(guard, { messages, typed: true }, () => spoke, guards);
}

describe("a guard for whatever is done to a file", () => {
  const on = { path: ["keys/**"] };
  const met = (call: object) => {
    const { rules } = loaded;
    const guard = { id: "any", does: "refuse", say: "No.", unless: ["user-allowed"], ...compileCall(on, rules) } as Guard;
    return matchGuards([guard], toExampleCall(call as never, guard, rules), exampleContext(rules)).met[0];
  };
  const allowed = (said: string, call: object) => {
    const messages = [{ id: "m0", role: "user" as const, text: said, toolCalls: [] }];
    const one = met(call);
    return one && createAllowance({ messages, typed: true }, loaded.rules, () => false)(one);
  };
  const READS = [{ command: "cat keys/a.txt" }, { tool: "read", path: "keys/a.txt" }, { command: "grep -n x keys/a.txt | head" }];
  const CHANGES = [
    { command: "rm keys/a.txt" },
    { command: "cat keys/a.txt > keys/b.txt" },
    { command: "sed -i s/a/b/ keys/a.txt" },
    { tool: "edit", path: "keys/a.txt" },
  ];

  test.each(READS)("lets a call that only reads run where reading was allowed: %o", (call) => {
    for (const said of ["You may read the keys folder.", "It's fine to look into keys.", "You may change the keys folder."])
      expect(allowed(said, call), said).toBe(true);
    expect(allowed("Never read the keys folder.", call)).toBe(false);
  });

  test.each(CHANGES)("lets no call that changes run where only reading was allowed: %o", (call) => {
    expect(allowed("You may read the keys folder.", call)).toBe(false);
    expect(allowed("You may change the keys folder.", call)).toBe(true);
  });
});

describe.each([
  ["allowances.yaml", 30, 0],
  ["allowances-unseen.yaml", 30, 0],
  ["allowances-once.yaml", 12, 0],
  ["allowances-stranger-a.yaml", 37, 0],
  ["allowances-dev.yaml", 63, 10],
  ["allowances-stranger-b.yaml", 31, 3],
])("in %s", (name, least, most) => {
  const sets = parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8")) as Sets;
  const { guards = GUARDS, allowed = [], refused = [] } = sets;

  test(`sees at least ${least} of ${allowed.length} allowances`, () => {
    const missed = allowed.filter((one) => !isAllowed(one, guards)).map(({ said }) => said);
    expect(allowed.length - missed.length, missed.join("\n")).toBeGreaterThanOrEqual(least);
  });

  test(`takes at most ${most} of ${refused.length} other messages for an allowance`, () => {
    const taken = refused.filter((one) => isAllowed(one, guards)).map(({ said }) => said);
    expect(taken.length, taken.join("\n")).toBeLessThanOrEqual(most);
  });
});

describe("who said it", () => {
  const SAID = "You may change the legacy folder.";
  const claude = (more: object) =>
    JSON.stringify({ type: "user", uuid: "m", sessionId: "s", message: { role: "user", content: SAID }, ...more });
  const codex = (meta: object) =>
    [
      { type: "session_meta", payload: { id: "s", ...meta } },
      { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: SAID }] } },
    ]
      .map((record) => JSON.stringify(record))
      .join("\n");
  const allowed = (content: string) => allows("legacy", readSession(content, "s").session, () => false);

  test.each([
    ["a terminal", claude({ entrypoint: "cli", promptSource: "typed" })],
    ["an editor", claude({ entrypoint: "claude-vscode" })],
    ["Codex in a terminal", codex({ source: "cli" })],
  ])("is the user in %s", (_, content) => expect(allowed(content)).toBe(true));

  test.each([
    ["claude -p", claude({ entrypoint: "sdk-cli", promptSource: "sdk" })],
    ["an SDK", claude({ entrypoint: "sdk-py" })],
    ["an action", claude({ entrypoint: "claude-code-github-action" })],
    ["a prompt of an MCP server", claude({ entrypoint: "cli", promptSource: "mcp" })],
    ["a template", claude({ entrypoint: "cli", isMeta: true })],
    ["a schedule", claude({ entrypoint: "cli", promptSource: "cron" })],
    ["another session", claude({ origin: { kind: "peer" } })],
    ["codex exec", codex({ source: "exec" })],
    ["an MCP client of Codex", codex({ source: "mcp" })],
    ["a sub-agent of Codex", codex({ source: { subagent: "review" } })],
  ])("is not the user in %s", (_, content) => expect(allowed(content)).toBe(false));
});

test("an answer that came before the guard spoke is no answer to it", () => {
  const user: Message = { id: "u", role: "user", text: "Yes, go ahead.", toolCalls: [] };
  const edit = { name: "Edit", input: {}, output: "Error: No.", status: "failed" } as const;
  const refused: Message = { id: "a", role: "assistant", text: "", toolCalls: [edit] };
  expect(allows("legacy", { messages: [user, refused] }, () => true)).toBe(false);
  expect(allows("legacy", { messages: [refused, user] }, () => true)).toBe(true);
});

test("a file beside the one that is allowed is not allowed", () => {
  const session = (text: string) => ({ messages: [{ id: "u", role: "user", text, toolCalls: [] } satisfies Message] });
  expect(allows("legacy", session("You may edit src/legacy/price.ts."), () => false)).toBe(false);
  expect(allows("legacy", session("You may edit src/legacy/."), () => false)).toBe(true);
});
