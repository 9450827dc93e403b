// Answers as weak models write them: nothing that the rules found is lost, and nothing is asserted that nobody said.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKeeper } from "../../src/hosts/keeper.js";
import { beginRound } from "../../src/hosts/round.js";
import type { Item, Message, Session } from "../../src/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-weak-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TEXTS = [
  "Build the importer. Never touch the legacy folder.",
  "We decided to use Redis for the session store because it is fast. The fixtures live next to it.",
  "That one costs far too much, let's take the files on disk.",
  "Fine. The colleagues have cleaned up, so everything is open to you. I found that the parser rounds twice. We still need to write the runbook. We ruled out Kafka because nobody can operate it.",
];
const session: Session = {
  id: "ses_1",
  format: "test",
  messages: TEXTS.map(
    (text, index): Message => ({ id: `m${index + 1}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
  ),
};
const SUMMARY = "## Goal\nBuild the importer.";

/** A round whose model answers so: what it changes, and what stays of its text. `{words}` is the id of the fact with them. */
function judge(answer: string | ((request: string) => string)) {
  const round = beginRound(
    createKeeper(folder, () => {}, "", join(folder, "state")),
    session,
    { judged: true },
  );
  const before = round.extraction.continuation.items;
  const { candidates, text: request } = round.offer ?? { candidates: [], text: "" };
  const idOf = (words: string) => candidates.find(({ item }) => item.evidence.quote.includes(words))?.id ?? "f0";
  const said = typeof answer === "string" ? answer : answer(request);
  const text = round.judge(said.replace(/\{(.+?)\}/g, (_, words) => idOf(words)));
  const after = round.extraction.continuation.items;
  const suspected = candidates.filter(({ proposed }) => proposed).map(({ item }) => item.evidence.quote);
  const active = (items: readonly Item[]) => items.filter(({ status }) => status === "active").map(({ text: told }) => told);
  return {
    text,
    counts: round.counts,
    before: active(before),
    after: active(after),
    suspected,
  };
}

const idsIn = (request: string) => request.match(/^f\d+(?= )/gm) ?? [];
const block = (...lines: readonly string[]) => `${SUMMARY}\n\n<facts>\n${lines.join("\n")}\n</facts>`;

test.each([
  ["half of the ids are right", block("holds: {parser}, f81, f82, f83")],
  ["a part of the ids is bare numbers", block("holds: {parser}, 2, 3, 5")],
  ["bare numbers stand behind an id", block("holds: {parser} 2 3 5")],
  ["a part of the facts is told in words", block("holds: {parser}, the choice of Redis, and the runbook")],
  ["the list is prose", block("holds: The facts {parser} and {Never touch} hold. Redis was chosen, too.")],
  ["there are no ids", block("holds: Never touch the legacy folder; the parser rounds twice")],
  ["ids are those of messages", block("holds: m1, m2", "stale: m2<m3")],
  ["there is no block", `${SUMMARY}\n\nholds: f1, f2. f3 is stale because of m3.`],
  ["the block is JSON", block('{"holds": ["f1", "f2"], "stale": {"f3": "m3"}}')],
  [
    "the headings are in another language",
    block("gilt: {parser}", "veraltet: {Redis}<m3", "fehlt:", '- Befund m2 "Es gilt nichts."'),
  ],
  ["all ids are stale without a reason", (request: string) => block(`stale: ${idsIn(request).join(", ")}`)],
])("nothing is lost and nothing is added when %s", (_, answer) => {
  const { text, before, after } = judge(answer);
  expect(after).toEqual(before);
  expect(text.startsWith(SUMMARY)).toBe(true);
  expect(text).not.toMatch(/<\/?facts>/);
});

test("a translated quote is not told", () => {
  const { counts, after, before } = judge(
    block("holds: {parser}, {Redis}, {runbook}, {Kafka}", "missed:", '- finding m2 "Die Daten liegen daneben."'),
  );
  expect(counts).toMatchObject({ quotes: 0, rejected: 1 });
  expect(after).toEqual(before);
});

test("a suspicion of the rules is not asserted when every id is held", () => {
  const all = (mark: string) => (request: string) =>
    block(
      `holds: ${idsIn(request)
        .map((id) => id + mark)
        .join(", ")}`,
    );
  for (const mark of ["", "!"]) {
    const { before, after, suspected } = judge(all(mark));
    expect(suspected.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
  }
});

test("the request's own words are no verdicts when they are repeated", () => {
  const repeated = (request: string) => `${SUMMARY}\n\n${request.slice(request.lastIndexOf("<facts>"))}`;
  const whole = judge(repeated);
  expect(whole.after).toEqual(whole.before);
  expect(whole.text).toContain(SUMMARY);
  const filled = judge((request) => repeated(request).replace(/^(holds: .*)$/m, "$1 {Redis}, {parser}, {runbook}, {Kafka}"));
  expect(filled.counts).toMatchObject({ holds: 4, marked: 0, stale: 0 });
  expect(filled.after).toEqual(filled.before);
});

test("what the model said counts and the rest stays when it is cut off at any place, in any language", () => {
  const english = block(
    "holds: {parser}!, {Never touch}",
    "stale: {Redis}<m3",
    "missed:",
    '- finding m2 "The fixtures live next to it."',
  );
  const german = block("gilt: {parser}", "veraltet: {Redis}<m3", "fehlt:", '- Befund m2 "Es gilt."');
  for (const whole of [english, german])
    for (let end = SUMMARY.length + 3; end < whole.length - "</facts>".length; end += 3) {
      const { text, before, after } = judge(whole.slice(0, end));
      expect({ end, text }).toEqual({ end, text: SUMMARY });
      const lost = before.filter((told) => !after.includes(told));
      expect(lost.filter((told) => !told.includes("Redis"))).toEqual([]);
      expect(after.filter((told) => !before.includes(told) && !told.includes("fixtures live"))).toEqual([]);
    }
});

test("a mention of the tag at the end of a line is no block that was cut off", () => {
  const text = "The answer ends with <facts>\nand ids.";
  expect(judge(text).text).toBe(text);
});
