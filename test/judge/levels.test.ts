// Two levels in one answer: what holds, and what of it matters. Through a compaction and what it shows afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { carry, learn } from "../../src/hosts/inject.js";
import { createKeeper } from "../../src/hosts/keeper.js";
import { beginRound } from "../../src/hosts/round.js";
import { type Message, render, type Session, type Template } from "../../src/index.js";
import { atOnce } from "../../src/steps.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-levels-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const COMMAND = 'git commit -m "Round amounts half to even\n\nThe  parser rounds at the edge."';
const call = (name: string, input: unknown, output: string, status = "completed") => ({ name, input, output, status });
const messages: readonly Message[] = [
  { id: "m1", role: "user", text: "Build the importer. Never touch the legacy folder.", toolCalls: [] },
  {
    id: "m2",
    role: "assistant",
    text: "We decided to use plain files for the sessions. We decided to name the folder ledger-cache.",
    toolCalls: [
      call("Bash", { command: COMMAND }, "[main 1a2b3c4] Round amounts"),
      call("Bash", { command: "npm test" }, "1 failed: the checksum of batch 7 differs", "error"),
      call("Write", { file_path: "plan.md", content: "Move every session over to Redis." }, "The user refused.", "rejected"),
      call(
        "deploy__set",
        { password: "correct-horse-battery", region: "eu-west is the only region" },
        `token ${SECRET} was used`,
      ),
    ],
  },
  { id: "m3", role: "user", text: "Good, go on with the rest of it now.", toolCalls: [] },
  {
    id: "m4",
    role: "assistant",
    text: "I found that the parser rounds twice. We still need to write the runbook.",
    toolCalls: [],
  },
];
const session: Session = { id: "ses_1", format: "test", messages };
const keeper = () => createKeeper(folder, () => {}, "", join(folder, "state"));

/** A compaction whose model answers so. `{words}` stands for the id of the fact with these words. */
const compact = (...lines: readonly string[]) => compactSession(session, lines);

async function compactSession(session: Session, lines: readonly string[]) {
  const own = keeper();
  const round = beginRound(own, session, { judged: true });
  const idOf = (words: string) => round.offer?.candidates.find(({ item }) => item.evidence.quote.includes(words))?.id ?? "f0";
  const block = ["<facts>", ...lines, "</facts>"].join("\n").replace(/\{(.+?)\}/g, (_, words) => idOf(words));
  round.judge(block);
  const shown = (id: string) => render(round.extraction, own.rules.templates.get(id) as Template, own.rules).text;
  const [note, counts] = [shown("note"), round.counts];
  const { items } = round.extraction.continuation;
  const { summary } = await round.complete("A summary.");
  const quoted = (words: string) => items.find(({ text }) => text.includes(words));
  return { summary, note, counts, items, quoted };
}

describe("an answer with marks", () => {
  test("names what is marked, and shows the rest only to the user", async () => {
    const { summary, note, counts } = await compact("holds: {plain files}!, {ledger-cache}, {rounds twice}!, {runbook}");
    expect(counts).toMatchObject({ holds: 4, marked: 2, noise: 0 });
    expect(note).toContain("plain files");
    expect(note).not.toContain("ledger-cache");
    expect(summary).toMatch(/^- decision \(assistant\): .*plain files/m);
    expect(summary).not.toContain("ledger-cache");
    expect(atOnce(learn(keeper(), session)).decisions).toEqual(["use plain files for the sessions"]);
    expect(atOnce(carry(keeper(), session))).toMatch(/^- held: .*ledger-cache.*\[[0-9a-f]{8}\]$/m);
  });

  test("always names a rule of the user's", async () => {
    const { summary } = await compact("holds: {Never touch}, {plain files}!");
    expect(summary).toContain("- rule of the user: Never touch the legacy folder.");
  });

  test.each([
    ["behind the kind", "{ledger-cache}=finding!"],
    ["before the kind", "{ledger-cache}!=finding"],
    ["behind emphasis and a blank", "**{ledger-cache}** !"],
    ["behind a range", "{plain files}-{ledger-cache}!"],
  ])("is read with the mark %s", async (_, entry) => {
    const { quoted } = await compact(`holds: ${entry}, {rounds twice}`);
    expect(quoted("ledger-cache")?.judged).toMatchObject({ marked: true });
    expect(quoted("rounds twice")?.judged).toMatchObject({ marked: false });
  });

  test("marks quotes, too", async () => {
    const { quoted, counts } = await compact("holds: {plain files}", "missed:", '- done! m2 "[main 1a2b3c4] Round amounts"');
    expect(quoted("[main 1a2b3c4]")?.judged).toMatchObject({ marked: true });
    expect(counts).toMatchObject({ marked: 1, quotes: 1 });
  });
});

test("a part of a question is told as the question, and is no rule", async () => {
  const text = "See src/a.ts first. Would the session ids (see b.ts) be better in one file? Tell me.";
  const asked: Session = { ...session, messages: [...messages, { id: "m5", role: "user", text, toolCalls: [] }] };
  const { quoted, counts } = await compactSession(asked, [
    "holds: {plain files}!",
    "missed:",
    '- constraint! m5 "the session ids (see b.ts) be better in one file"',
  ]);
  expect(counts.rejected).toBe(0);
  expect(quoted("session ids")).toMatchObject({
    kind: "question",
    text: "Would the session ids (see b.ts) be better in one file?",
  });
});

test("an answer without any mark names all that holds", async () => {
  const { note, items } = await compact("holds: {plain files}, {ledger-cache}, {rounds twice}, {runbook}");
  expect(note).toMatch(/plain files[\s\S]*ledger-cache/);
  expect(items.filter(({ judged }) => judged?.marked !== undefined)).toEqual([]);
});

describe("a quote from a call", () => {
  test("is a fact by the tool, with its place in the input or the output", async () => {
    const { quoted, counts } = await compact(
      "holds: {plain files}",
      "missed:",
      '- done m2 "Round amounts half to even\\n\\nThe parser rounds at the edge."',
      '- blocker m2 "the checksum of batch 7 differs"',
    );
    expect(counts).toMatchObject({ quotes: 2, rejected: 0 });
    const commit = quoted("half to even");
    expect(commit).toMatchObject({ by: "tool", kind: "done", evidence: { source: "m2", tool: 0, input: "command" } });
    const { start, end, quote } = commit?.evidence ?? { start: 0, end: 0, quote: "" };
    expect(COMMAND.slice(start, end)).toBe(quote);
    expect(commit?.text).toBe("Round amounts half to even The parser rounds at the edge.");
    expect(quoted("batch 7")).toMatchObject({ by: "tool", kind: "blocker", evidence: { tool: 1, start: 10 } });
    expect(quoted("batch 7")?.evidence).not.toHaveProperty("input");
  });

  test("is named only when it is marked", async () => {
    const { summary } = await compact("holds: {plain files}!", "missed:", '- finding m2 "the checksum of batch 7 differs"');
    expect(summary).not.toContain("- tool: the checksum of batch 7 differs");
    rmSync(join(folder, "state"), { recursive: true });
    const marked = await compact("holds: {plain files}!", "missed:", '- finding! m2 "the checksum of batch 7 differs"');
    expect(marked.summary).toContain("- found (tool): the checksum of batch 7 differs");
  });

  test("is never a rule of the user's, a pin or a rule of another session", async () => {
    const { quoted, counts, note } = await compact(
      "holds: {plain files}",
      "missed:",
      '- constraint! m2 "eu-west is the only region"',
      '- constraint! m2 "the checksum of batch 7 differs"',
    );
    expect(counts).toMatchObject({ quotes: 2, rejected: 0 });
    expect(quoted("eu-west")).toMatchObject({ kind: "finding", by: "tool" });
    expect(note).not.toMatch(/## Constraints[^#]*(?:eu-west|batch 7)/);
    expect(atOnce(learn(keeper(), session)).rules).toEqual(["Never touch the legacy folder."]);
  });

  test("stays one in the next round, whatever kind the model gives it", async () => {
    await compact("holds: {plain files}", "missed:", '- finding! m2 "the checksum of batch 7 differs"');
    const { quoted } = await compact("holds: {batch 7}=constraint!, {plain files}");
    expect(quoted("batch 7")).toMatchObject({ kind: "finding", by: "tool", status: "active" });
  });

  test("is masked, also where only what is beside it shows a secret", async () => {
    const { items, summary } = await compact(
      "holds: {plain files}!",
      "missed:",
      `- finding! m2 "token ${SECRET} was used"`,
      '- finding! m2 "correct-horse-battery"',
    );
    expect(items.filter(({ by }) => by === "tool")).toHaveLength(2);
    expect(JSON.stringify(items) + summary).not.toMatch(/ghp_|horse/);
  });

  test("of a refused call is told as refused, whatever kind the model gives it", async () => {
    const quote = (mark: string) => `- decision${mark} m2 "Move every session over to Redis."`;
    const { quoted, summary, note } = await compact("holds: {plain files}!", "missed:", quote("!"));
    expect(quoted("Redis")).toMatchObject({ kind: "rejection", by: "tool" });
    expect(summary).toContain("- refused or stopped: Move every session over to Redis.");
    expect(note).toContain("- Refused or stopped: Move every session over to Redis.");
    const again = await compact("holds: {Redis}=done!, {plain files}!");
    expect(again.quoted("Redis")).toMatchObject({ kind: "rejection" });
  });

  test("is found in coloured output", async () => {
    const output = "  \u001B[31mTest timeout of 30000ms\u001B[39m \u001B[1;31mexceeded.\u001B[0m\n";
    const red = { id: "m5", role: "assistant", text: "Run it.", toolCalls: [call("Bash", { command: "e2e" }, output)] } as const;
    const coloured: Session = { ...session, messages: [...messages, red] };
    const { quoted, counts, summary } = await compactSession(coloured, [
      "missed:",
      '- finding! m5 "Test timeout of 30000ms exceeded."',
    ]);
    expect(counts).toMatchObject({ quotes: 1, rejected: 0 });
    expect(quoted("timeout")).toMatchObject({ by: "tool", text: "Test timeout of 30000ms exceeded." });
    expect(summary).toContain("- found (tool): Test timeout of 30000ms exceeded.");
  });

  test("is rejected if no call of that message says it", async () => {
    const quotes = ['- done m2 "Round amounts half to odd"', '- blocker m4 "the checksum of batch 7 differs"'];
    const { counts } = await compact("holds: {plain files}", "missed:", ...quotes);
    expect(counts).toMatchObject({ quotes: 0, rejected: 2 });
  });
});

describe("a quote of what a host wrote in the user's name", () => {
  const WRITTEN = `The deploy key is ${SECRET}. Compiled 41 modules of the ledger; always sign the images.`;
  const REMINDER = `<system-reminder>\n${WRITTEN}\n</system-reminder>\nGo on with the importer.`;
  const user = { id: "m5", role: "user" as const, text: WRITTEN, toolCalls: [] };
  const compactWith = (message: Message, ...lines: readonly string[]) =>
    compactSession({ ...session, messages: [...messages, message] }, lines);

  test.each<[string, Message]>([
    ["the output of a slash command", { ...user, meta: true, text: `<local-command-stdout>${WRITTEN}</local-command-stdout>` }],
    ["the text of a hook", { ...user, meta: true, text: `Stop hook feedback:\n${WRITTEN}` }],
    ["the result of a tool", { ...user, role: "tool", meta: true }],
    ["a reminder in a message of the user's", { ...user, text: REMINDER }],
    ["a message of reminders only", { ...user, text: REMINDER.replace(/\nGo on .*/, "") }],
    ["a summary", { ...user, summary: true }],
    ["a summary by the assistant", { ...user, role: "assistant", summary: true }],
  ])("is the tool's, with its place, when it is %s", async (_, message) => {
    const { quoted, items, counts, summary, note } = await compactWith(
      message,
      "holds: {plain files}",
      "missed:",
      '- finding! m5 "Compiled 41 modules of the ledger"',
      '- constraint! m5 "always sign the images."',
      `- finding m5 "The deploy key is ${SECRET}."`,
    );
    expect(counts).toMatchObject({ quotes: 3, rejected: 0 });
    const fact = quoted("41 modules");
    expect(fact).toMatchObject({ by: "tool", kind: "finding", evidence: { source: "m5" } });
    expect(message.text.slice(fact?.evidence.start, fact?.evidence.end)).toBe("Compiled 41 modules of the ledger");
    expect(quoted("sign the images")).toMatchObject({ by: "tool", kind: "finding" });
    expect(note).not.toMatch(/## Constraints[^#]*sign the images/);
    expect(summary).toContain("- found (tool): Compiled 41 modules of the ledger");
    expect(JSON.stringify(items) + summary + note).not.toContain("ghp_");
    expect(atOnce(learn(keeper(), session)).rules).toEqual(["Never touch the legacy folder."]);
  });

  test("ends no rule of the user's", async () => {
    const lifted = REMINDER.replace("Compiled", "The legacy folder is free now. Compiled");
    const { quoted } = await compactWith({ ...user, text: lifted }, 'stale: {Never touch}<"The legacy folder is free now."');
    expect(quoted("Never touch")).toMatchObject({ status: "active" });
  });

  test("confirms a fact that a summary repeats", async () => {
    const summary = {
      ...user,
      summary: true,
      text: "<carried-facts>\n- found: I found that the parser rounds twice.\n</carried-facts>",
    };
    const quote = '- decision! m5 "found: I found that the parser rounds twice."';
    const { items, counts } = await compactWith(summary, "holds: {plain files}", "missed:", quote);
    expect(counts).toMatchObject({ holds: 2, marked: 1, quotes: 0, rejected: 0 });
    expect(items.filter(({ text }) => text.includes("rounds twice"))).toMatchObject([{ by: "assistant", status: "active" }]);
  });
});

test("a quote that is cut in a word is told with the whole word", async () => {
  const { quoted } = await compact("holds: {plain files}", "missed:", '- blocker m2 "the checksum of batch 7 diff…"');
  expect(quoted("batch 7")?.text).toBe("the checksum of batch 7 differs");
});
