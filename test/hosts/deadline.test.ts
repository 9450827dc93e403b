// When time is up, a hook gives what was found by then: the first request and the newest words at least.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answerHook } from "../../src/hosts/command-hooks.js";
import { COMMAND_HOSTS } from "../../src/hosts/hosts.js";
import { inject } from "../../src/hosts/inject.js";
import { createKeeper } from "../../src/hosts/keeper.js";
import { openCodeHooks } from "../../src/hosts/opencode/opencode.js";
import { builtInRules, extract } from "../../src/index.js";
import { inSlices, type Late, STAGES } from "../../src/steps.js";
import { sized } from "../runs.js";

const DENSE_CHARACTERS = sized(165_000, 66_000);
const FIRST = "Always use pnpm, never npm.";
const LAST = "We decided to use SQLite for the cache.";

/** Sentences in each of which something is found, or something is taken back. */
const SENTENCES = [
  (index: number) => `Always use tool${index} in package ${index}. `,
  (index: number) => `Actually, use npm in package ${index} instead. `,
  (index: number) => `We decided to use Redis${index} for part ${index % 7} because it is fast. `,
  (index: number) => `- [ ] Fix \`login${index}\` in src/a${index}.ts\n`,
];
const dense = (size: number, from = 0) => {
  let text = "";
  for (let index = from; text.length < size; index++) text += SENTENCES[index % SENTENCES.length]?.(index);
  return text;
};
const pieces = (count: number) => Array.from({ length: count }, (_, index) => dense(2_000, 100 * index));

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  "one message": [FIRST, dense(DENSE_CHARACTERS), LAST],
  "many messages": [FIRST, ...pieces(DENSE_CHARACTERS / 2_000), LAST],
  "messages of few words": [FIRST, ...Array.from({ length: 4 }, () => "use it. ".repeat(sized(12_000, 5_000))), LAST],
};
const SHAPES = Object.entries(TEXTS);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-deadline-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** What OpenCode's plugin puts into a compaction, and the summary with the block behind it. */
async function compacted(id: string, texts: readonly string[], { deadline, round = 1 }: { deadline: number; round?: number }) {
  const data = texts.map((text, index) => ({
    info: { id: `msg_${index}`, sessionID: id, role: "user" },
    parts: [{ type: "text", text }],
  }));
  const client = {
    session: { messages: async () => ({ data }), get: async () => ({ data: { id } }) },
    app: { log: async () => undefined },
  };
  const hooks = openCodeHooks({ client: client as never, directory: folder }, { deadline });
  const output: { context: string[] } = { context: [] };
  await hooks["experimental.session.compacting"]({ sessionID: id }, output);
  const info = { id: `msg_sum_${round}`, sessionID: id, role: "assistant", summary: true };
  await hooks.event({ event: { type: "message.updated", properties: { info } } });
  const summary = { text: "We worked on the packages." };
  await hooks["experimental.text.complete"]({ sessionID: id, messageID: info.id }, summary);
  return { context: output.context.join("\n"), summary: summary.text };
}

describe("OpenCode's plugin gives its context with a deadline of 50 ms", () => {
  test.each(SHAPES)("when the session is dense text in %s", async (name, texts) => {
    const { context, summary } = await compacted(`ses_${name.length}`, texts, { deadline: 50 });
    expect(context).toContain("pnpm");
    expect(context).toContain("SQLite");
    expect(summary).toContain("SQLite");
  });
});

test("a fact stays known when the next compaction has no time to read its message again", async () => {
  const filler = (part: number) =>
    Array.from({ length: 300 }, (_, line) => `Line ${line} of part ${part} shows the reader's rows.`).join("\n");
  const texts = [FIRST, filler(1), LAST, filler(2), "Now update the docs."];
  for (const [round, deadline] of [60_000, 1, 60_000].entries()) {
    const { summary } = await compacted("ses_rounds", texts, { deadline, round });
    expect(summary).toContain(LAST.slice(0, -1));
  }
});

const sessionOf = (id: string, texts: readonly string[]) => ({
  id,
  format: "claude-code",
  messages: texts.map((text, index) => ({ id: `${id}-${index}`, role: "user" as const, text, toolCalls: [] })),
});

describe("a command hook gives its text", () => {
  test.each(SHAPES)("when time is up before it begins, and the session is dense text in %s", async (name, texts) => {
    const session = sessionOf(`s${name.length}`, texts);
    const { text } = await answerHook({
      host: COMMAND_HOSTS.find((host) => host.name === "claude-code") as never,
      event: { hook_event_name: "PreCompact", session_id: session.id, transcript_path: join(folder, "t.jsonl"), cwd: folder },
      keeper: createKeeper(folder, () => undefined, "claude-code"),
      read: () => session,
      late: () => true,
      now: Date.now(),
      environment: {},
      start: async () => "",
      unheard: async () => "",
    });
    expect(text).toContain("pnpm");
    expect(text).toContain("SQLite");
  });
});

test.each(Object.entries(STAGES))("finds the first and the newest words when the stage %s has no time", (_, share) => {
  const { rules } = builtInRules();
  const late: Late = (asked = 1) => asked === share;
  const session = sessionOf("s", [FIRST, dense(20_000), ...pieces(10), LAST]);
  const { continuation, statements } = extract(session, rules, { late, statements: true });
  expect(continuation.items.map(({ text }) => text).join("\n")).toContain("SQLite");
  expect([statements[0]?.text, statements.at(-1)?.text]).toEqual([FIRST, LAST]);
  // Where a message is not read or not compared, a notice says so.
  const isCut = continuation.diagnostics.some(({ code }) => code === "deadline");
  const ofMessages: readonly number[] = [STAGES.mask, STAGES.signals, STAGES.facts, STAGES.settle];
  expect(isCut).toBe(ofMessages.includes(share));
});

test("keeps what is said again behind texts that are not compared in time", () => {
  const { rules } = builtInRules();
  const changes = Array.from({ length: 220 }, (_, index) => `Scratch that. We decided to use port ${index}.`);
  const [rule, other] = ["Never touch the legacy folder.", "Never rename the tables."];
  const session = sessionOf("s", [rule, other, ...changes, rule]);
  const { continuation } = extract(session, rules, { late: (share = 1) => share === STAGES.settle });
  const texts = continuation.items.map(({ text }) => text);
  expect(texts).toContain("Never touch the legacy folder");
  // It may have been taken back by one of those.
  expect(texts).not.toContain("Never rename the tables");
});

test("a hook reads the first and the last 50,000 characters of a message, and says what it leaves out", async () => {
  const said: string[] = [];
  const keeper = createKeeper(folder, (level, message) => void said.push(`${level} ${message}`), "claude-code");
  const filler = (characters: number) => "It goes on and on.\n".repeat(characters / 19);
  const middle = `${filler(60_000)}We decided to use Redis for the middle.\n${filler(60_000)}`;
  const text = `${filler(40_000)}${FIRST}\n${middle}${LAST}\n${filler(40_000)}`;
  const session = sessionOf("long", ["Build the cache.", text]);
  const injected = await inSlices(inject(keeper, session, { late: () => false }));
  expect(injected).toContain("pnpm");
  expect(injected).toContain("SQLite");
  expect(injected).not.toContain("Redis");
  expect(said.join("\n")).toContain("the middle is not read");
});
