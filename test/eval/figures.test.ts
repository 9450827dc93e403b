import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, readSession, render, type Session } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";
import { BASELINES, type Gold, judgeBrief, judgeItems, sumUp, tableOfKinds } from "./scorer.mjs";

// Windows of invented sessions, labelled as ../shared/eval/guide.md says, in the manner of five projects. They are there
// to notice when something gets worse; how good the rules are, `npm run eval` tells on sessions that nobody wrote for it.
const FOLDER = "test/fixtures/eval";
const { rules } = builtInRules();
const brief = rules.templates.get("brief") as Template;
const read = (folder: string, name: string) => readFileSync(join(FOLDER, folder, name), "utf8");
const windows = readdirSync(join(FOLDER, "windows")).map((name) => {
  const { session } = readSession(read("windows", name), name);
  return { session, gold: JSON.parse(read("gold", name)) as Gold, extraction: extract(session, rules) };
});

describe("the labels", () => {
  test.each(windows.map(({ gold, session }) => [gold.id, gold, session] as const))(
    "%s quotes what was said",
    (_, gold, session) => {
      const textsOf = (session: Session, id: string) =>
        session.messages
          .filter((one) => one.id === id)
          .flatMap(({ text, toolCalls }) => [text, ...toolCalls.map((call) => call.output)]);
      for (const label of gold.items)
        for (const { m, quote } of [label, ...(label.also ?? [])])
          expect(
            textsOf(session, m).some((text) => text.includes(quote)),
            `${m}: ${quote}`,
          ).toBe(true);
    },
  );
});

/** What is reached, rounded down: a change that falls below must say why. */
const LEAST_F1 = { decision: 0.2, constraint: 0.6, done: 0.15, all: 0.36 };
const LEAST = { 120: { kept: 0.6, held: 0.35 }, 240: { kept: 0.9, held: 0.68 } };
const MOST_STALE = 0.5;

test("facts are found as well as before", () => {
  const judged = windows.map(({ extraction, gold }) => {
    const active = extraction.continuation.items.filter(({ status }) => status === "active");
    return judgeItems(
      active.map(({ kind, evidence }) => ({ kind, m: evidence.source, text: evidence.quote })),
      gold,
    );
  });
  const table = tableOfKinds(judged);
  for (const [kind, least] of Object.entries(LEAST_F1)) expect(table[kind]?.f1, kind).toBeGreaterThanOrEqual(least);
});

test("every changed file is found, and no other", () => {
  for (const { extraction, gold } of windows) {
    const { created, modified, deleted } = extraction.continuation.files;
    expect([...created, ...modified, ...deleted].sort()).toEqual([...gold.files.modified].sort());
  }
});

describe("a brief", () => {
  const figures = (textOf: (window: (typeof windows)[number]) => string) =>
    sumUp(windows.map((window) => judgeBrief(textOf(window), window.gold)));
  const ours = (tokens: number) => figures(({ extraction }) => render(extraction, brief, rules, { tokens }).text);

  test.each(Object.entries(LEAST))("of %s tokens keeps as much as before", (size, least) => {
    const { kept, held, stale } = ours(Number(size));
    expect(kept).toBeGreaterThanOrEqual(least.kept);
    expect(held).toBeGreaterThanOrEqual(least.held);
    expect(stale).toBeLessThanOrEqual(MOST_STALE);
  });

  test.each(Object.keys(BASELINES))("says more than %s", (name) => {
    const tokens = 240;
    const theirs = figures(({ session }) => BASELINES[name]?.(session.messages, tokens) ?? "");
    const own = ours(tokens);
    expect(own.kept).toBeGreaterThan(theirs.kept);
    expect(own.held).toBeGreaterThan(theirs.held);
  });
});
