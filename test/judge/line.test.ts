// The line of verdicts that may stay in a summary: asked for by one process, and read by another one behind the compaction.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { carry, inject } from "../../src/hosts/inject.js";
import { createKeeper, writeDue } from "../../src/hosts/keeper.js";
import { repairSummary } from "../../src/hosts/repair-summary.js";
import { beginRound } from "../../src/hosts/round.js";
import type { Message, Session } from "../../src/index.js";
import { readLine, withoutLine } from "../../src/judge/read-line.js";
import { atOnce } from "../../src/steps.js";
import { leastTime } from "../cpu.js";
import { runs, sized } from "../runs.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-line-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TEXTS = [
  "Build the importer. Never touch the legacy folder.",
  "We decided to use Redis for the session store because it is fast. We decided to name the folder ledger-cache.",
  "That one costs far too much, let's take the files on disk.",
  "Fine. We decided to use plain files for the sessions. I found that the parser rounds twice. We still need to write the runbook.",
];
const sessionOf = (texts: readonly string[]): Session => ({
  id: "ses_1",
  format: "claude-code",
  messages: texts.map(
    (text, index): Message => ({ id: `u${index + 1}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
  ),
  whole: true,
});
const session = sessionOf(TEXTS);
const keeper = () => createKeeper(folder, () => {}, "", join(folder, "state"));

/** What the agent is asked before a compaction. `{words}` in a text stands for the id of the candidate with these words. */
function ask(given = session) {
  const own = keeper();
  const request = atOnce(inject(own, given, { judged: "line", whole: true })) ?? "";
  writeDue(own);
  const lines = request.split("\n").filter((line) => /^f\d+ /.test(line));
  const idOf = (words: string) => lines.find((line) => line.includes(words))?.split(" ", 1)[0] ?? "f9999";
  return { request, lines, fill: (text: string) => text.replace(/\{(.+?)\}/g, (_, words) => idOf(words)) };
}

/** A compaction whose model answers so, and what is known behind it. */
function compact(answer: string, given = session) {
  const asked = ask(given);
  const said = asked.fill(answer);
  const prose = said.replace(/^<analysis>[\s\S]*?<\/analysis>|<\/?summary>/g, "").trim();
  const summary = atOnce(repairSummary(keeper(), given.id, prose, undefined, { session: given, answer: said }));
  const { items } = beginRound(keeper(), given, { whole: true }).extraction.continuation;
  const factOf = (words: string) => items.find(({ evidence }) => evidence.quote.includes(words));
  return { ...asked, summary, items, factOf };
}

const LINE = "Checked facts: {ledger-cache} {plain files}! {runbook} hold; {Redis} ended by {plain files}.";

test("the request lists candidates without names of messages, and asks for one line", () => {
  const { request, lines } = ask();
  expect(lines[0]).toMatch(/^f1 /);
  expect(lines.join("\n")).toMatch(/^f\d constraint user: Never touch the legacy folder\.$/m);
  expect(request).toContain("\nChecked facts: ID ID! ID hold;");
  expect(request).not.toMatch(/<facts>|^f\d+ .*\bm\d/m);
  expect(request.length).toBeLessThan(9_900);
});

test("an answer is applied behind the compaction, by another process", () => {
  const { summary, factOf } = compact(`<analysis>Hm.</analysis>\n<summary>We talked.\n\n${LINE}</summary>`);
  expect(factOf("Redis")).toMatchObject({ status: "stale", judged: { round: 1, witness: "u4" } });
  expect(factOf("plain files")).toMatchObject({ status: "active", judged: { marked: true } });
  expect(factOf("ledger-cache")).toMatchObject({ status: "active", judged: { marked: false } });
  expect(factOf("rounds twice")).toMatchObject({ status: "noise" });
  expect(factOf("Never touch")).toMatchObject({ status: "active" });
  expect(summary).toMatch(/^We talked\.\n\n<carried-facts>/);
  expect(summary).not.toMatch(/Redis|rounds twice/);
  expect(atOnce(carry(keeper(), session))).toMatch(/judged stale by the model in round 1, ended by message 4: .*Redis/);
});

test.each([
  ["in <analysis>", `<analysis>Hm.\n${LINE}\n</analysis>\n<summary>We talked.</summary>`],
  ["behind <summary>", `<summary>We talked.</summary>\n${LINE}`],
  ["in an answer without tags", `We talked.\n\n${LINE}`],
  ["in the middle of a summary", `<summary>We talked.\n\n${LINE}\n\n## Next\nThe runbook.</summary>`],
])("a line counts %s", (_, answer) => {
  const { factOf } = compact(answer);
  expect(factOf("Redis")).toMatchObject({ status: "stale" });
  expect(factOf("rounds twice")).toMatchObject({ status: "noise" });
});

test("a fact is ended by words of a later message, and a rule of the user's only by the user's words about it", () => {
  const by = (words: string) => `Checked facts: {ledger-cache} {runbook} hold; {Redis} {Never touch} ended by "${words}".`;
  const nobodys = compact(by("nobody ever said this"));
  expect([nobodys.factOf("Redis")?.status, nobodys.factOf("Never touch")?.status]).toEqual(["active", "active"]);
  const assistants = compact(by("use plain files for"));
  expect([assistants.factOf("Redis")?.status, assistants.factOf("Never touch")?.status]).toEqual(["stale", "active"]);
  rmSync(join(folder, "state"), { recursive: true });
  const others = compact(by("the files on disk"));
  expect([others.factOf("Redis")?.status, others.factOf("Never touch")?.status]).toEqual(["stale", "active"]);
  rmSync(join(folder, "state"), { recursive: true });
  const lifted = sessionOf(TEXTS.with(2, `${TEXTS[2]} The legacy part is all yours.`));
  const users = compact(by("The legacy part is all yours"), lifted);
  for (const words of ["Redis", "Never touch"])
    expect(users.factOf(words)).toMatchObject({ status: "stale", judged: { witness: "u3" } });
});

test.each([
  ["there is no line", "<summary>We talked.</summary>"],
  ["the summary is empty", "<summary></summary>"],
  [
    "the request's form is repeated",
    'Checked facts: ID ID! ID hold; ID ended by ID; ID ended by "exact words of the later message".',
  ],
  ["no id was offered", "Checked facts: f901 f902 hold; f903 ended by f904."],
  [
    "it guesses names of messages",
    "Checked facts: {Redis} {runbook} {parser} {plain files} {ledger-cache} hold; {Never touch} ended by m3.",
  ],
  ["the line is in words", "Checked facts: the choice of Redis holds; the legacy folder was ended by the user."],
  ["nothing holds", "Checked facts: none hold."],
])("nothing is lost and nothing is added when %s", (_, answer) => {
  const before = beginRound(keeper(), session, { whole: true }).extraction.continuation.items;
  const { items } = compact(answer);
  const told = (list: typeof items) => list.map(({ text, status }) => [text, status]);
  expect(told(items)).toEqual(told(before));
});

test("the ids of a round are not those of the next, so a line that is repeated says nothing", () => {
  const first = compact(`<summary>${LINE}</summary>`);
  const old = first.fill("Checked facts: {runbook} hold.");
  const second = compact(`<summary>${old}</summary>`);
  expect(second.lines[0]).toMatch(/^f101 /);
  expect(second.items.map(({ status }) => status)).toEqual(first.items.map(({ status }) => status));
  expect(second.lines.join("\n")).not.toMatch(/Redis|rounds twice/);
});

test("nothing is asked with judge: off, and a stored offer is not answered", () => {
  ask();
  writeFileSync(join(folder, ".compactionrc"), "extends: compaction:recommended\njudge: off\n");
  const { request, items } = compact("Checked facts: f2 hold.");
  expect(request).not.toMatch(/Checked facts|<candidates>/);
  expect(request).toContain("Never touch the legacy folder.");
  expect(items.filter(({ status }) => status === "noise")).toEqual([]);
});

test("a text that the agent would cut asks nothing", () => {
  const rules = Array.from({ length: 400 }, (_, index) => `Never rename the column "${"x".repeat(60)}${index}" of the ledger.`);
  const state = `## Objective\n${"The importer reads all of it, and more. ".repeat(150)}`;
  writeFileSync(join(folder, "SESSION.md"), state);
  const { request } = ask(sessionOf([rules.join("\n")]));
  expect(request.length).toBeLessThan(10_000);
  if (/<candidates>/.test(request)) expect(request).toMatch(/Checked facts: ID[\s\S]*$/);
});

const ALL = { holds: ["f2", "f5", "f9"], marked: ["f5"], stale: ["f3"] };
const read = (text: string) => {
  const { holds, marked, stale, closed, clear } = readLine(text, () => true) ?? {};
  return { holds: [...(holds ?? []).keys()], marked: [...(marked ?? [])], stale: [...(stale ?? []).keys()], closed, clear };
};

describe("the line", () => {
  test.each([
    ["as asked", "Checked facts: f2 f5! f9 hold; f3 ended by m31."],
    ["in bold", "**Checked facts:** f2, **f5!**, f9 hold; f3 ended by f9."],
    ["in emphasis", "_Checked facts: f2 f5! f9 hold; f3 ended by f9._"],
    ["as a bullet", "- Checked facts: f2, f5! and f9 hold; f3 ended by f9\n\nEnd."],
    ["in code", "`Checked facts: f2 f5! f9 hold; f3 ended by f9.`"],
    ["in a fence", "```text\nChecked facts: f2 f5! f9 hold; f3 ended by f9.\n```"],
    ["as a quotation", "> Checked facts: f2 f5! f9 hold; f3 ended by f9."],
    ["in another case", "CHECKED FACTS: F2 F5! F9 HOLD; F3 ENDED BY M31."],
    ["in parentheses", "(Checked facts: f2 f5! f9 hold; f3 ended by f9)"],
    ["with words in parentheses", "Checked facts: f2 (the port), f5!, f9 (hold); f3 (ended by m31)."],
    ["without a colon", "Checked facts f2 f5! f9 hold, f3 ended by f9."],
    ["with a dash", "Checked facts – f2, f5!, f9 hold – f3 ended by f9."],
    ["without its first word of all", "Checked facts: f2 f5! f9; f3 ended by f9."],
    ["over several lines", "Checked facts:\nf2, f5!,\nf9 hold;\nf3 ended by f9."],
    ["one id a line", "Checked facts: f2\nf5!\nf9\nhold;\nf3 ended by f9."],
    ["as a list of words", "## Checked facts\n\n- hold: f2, f5!, f9\n- ended: f3 by f9.\n\n## Next\nf1 races."],
    ["as a list of facts", "**Checked facts**\n- f2: holds\n- f5!: holds\n- f9 holds true\n- f3: ended by f9\n\nMore."],
    [
      "as a table",
      "| Checked facts | |\n|---|---|\n| f2 | hold |\n| f5! | hold |\n| f9 | hold |\n| f3 | ended by m31 |\n\nMore.",
    ],
    ["as data", 'Checked facts: {"hold": ["f2", "f5!", "f9"], "ended": {"f3": "f9"}}'],
    ["with another word for ended", "Checked facts: f2 f5! f9 hold; f3 was replaced by f9."],
    ["with a denial", "Checked facts: f2 f5! f9 hold; f3 no longer holds (ended by f9)."],
    ["with an arrow", "Checked facts: f2 f5! f9 hold; f3→f9."],
    ["in another language", "Wir sprachen. Checked facts: f2 f5! f9 hold; f3 ended by f9. Danach geht es weiter."],
    ["twice: the last", "Checked facts: f1 hold.\n\nChecked facts: f2 f5! f9 hold; f3 ended by f9."],
  ])("is read %s, and leaves the summary", (_, line) => {
    expect(read(`Wir sprachen.\n\n${line}`)).toEqual({ ...ALL, closed: true, clear: true });
    expect(withoutLine(`Wir sprachen.\n\n${line}`)).not.toMatch(/f\d\b(?! races)|checked|hold|```|\|/i);
    expect(withoutLine(`Wir sprachen.\n\n${line}`)).toMatch(/^Wir sprachen\./);
  });

  test("is not what only mentions it, and code beside it stays", () => {
    for (const text of ["We parse checked facts: the line is nice.", "The summary ends with `Checked facts: …`."]) {
      expect(readLine(text, () => true)).toBeUndefined();
      expect(withoutLine(text)).toBe(text);
    }
    const code = "```ts\nconst a = 1;\n```";
    expect(withoutLine(`${code}\n\nChecked facts: f2 hold.\n\n${code}`)).toBe(`${code}\n\n${code}`);
  });

  test("names nothing noise where it is not clear or cut off", () => {
    for (const text of ["Checked facts: f2, 5 and 9 hold.", "Checked facts: f2 hold; f3."])
      expect(read(text)).toMatchObject({ holds: ["f2"], clear: false });
    expect(read("Checked facts: f2 f5! f1")).toMatchObject({ holds: ["f2", "f5"], closed: false });
    expect(read("Checked facts: f2 does not hold.")).toMatchObject({ holds: [], stale: ["f2"] });
  });

  test("that is cut off at any place loses nothing, and asserts nothing that it does not say", () => {
    const { fill } = ask();
    const whole = fill(LINE);
    const before = beginRound(keeper(), session, { whole: true }).extraction.continuation.items;
    for (let end = 1; end < whole.length - 1; end += 5) {
      rmSync(join(folder, "state"), { recursive: true, force: true });
      const { items } = compact(whole.slice(0, end));
      const changed = items.filter(({ status, text }) => before.find((one) => one.text === text)?.status !== status);
      expect({ end, changed: changed.map(({ text }) => text) }).toEqual({ end, changed: [] });
    }
  });

  const anyWord = fc.constantFrom(
    "f1",
    "f2!",
    "f3-f5",
    "m3",
    "hold",
    "ended",
    "by",
    "not",
    "noise",
    ";",
    ".",
    "\n",
    ":",
    '"the files on disk"',
    "7",
    "→",
    "```",
  );
  test("of any words never throws, never ends a rule of the user's by words of the model's, and adds no fact", {
    timeout: 240_000,
  }, () => {
    const { lines } = ask();
    const known = new Set(beginRound(keeper(), session, { judged: true }).offer?.candidates.map(({ item }) => item.text));
    expect(lines.length).toBeGreaterThan(3);
    fc.assert(
      fc.property(fc.array(anyWord, { maxLength: 25 }), fc.string({ unit: "binary", maxLength: 40 }), (words, noise) => {
        rmSync(join(folder, "state"), { recursive: true, force: true });
        const { items, factOf } = compact(`We talked.\n\nChecked facts: ${words.join(" ")} ${noise}`);
        const rule = factOf("Never touch");
        expect(rule?.status === "active" || rule?.judged?.witness === "u3").toBe(true);
        for (const { text, evidence } of items) {
          expect(evidence.rule).not.toBe("model");
          expect(known.has(text) || text.includes("importer")).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(["Checked facts: ", "Checked facts: f1 f2! ", "checked facts f1\n", "`*(", 'Checked facts: f1 ended by "'])(
    "of nothing but %j is read in time that grows with it",
    async (unit) => {
      const text = unit.repeat(sized(400_000, 100_000) / unit.length);
      const tried = (more: number) => [readLine(text + "\n".repeat(more), () => true), withoutLine(text + "\n".repeat(more))];
      expect(await leastTime(2_000, tried)).toBeLessThan(2_000);
    },
  );
});
