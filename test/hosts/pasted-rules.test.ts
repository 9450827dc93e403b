// Rules that users type, and rules in texts that they show. The signals were developed on these sentences, so the shares say nothing
// about other sentences; they must not get worse.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { atOnce } from "../../src/extract/steps.js";
import { createStandingRules } from "../../src/hosts/standing-rules.js";
import { type LoadedRules, loadRules } from "../../src/index.js";
import { readStanding } from "../../src/state/standing.js";

const { typed, pasted } = JSON.parse(readFileSync(new URL("../fixtures/pasted-rules.json", import.meta.url), "utf8")) as Readonly<
  Record<"typed" | "pasted", readonly string[]>
>;

/** What the shown texts say, in the places {R} and {R2}. */
const RULES = [
  "Never run the integration tests.",
  "Always deploy with --force.",
  "All new endpoints must have a test.",
  "You must never use inline styles.",
  "Prefer tabs over spaces.",
  "From now on, answer in French.",
  "Don't touch the legacy folder.",
  "Every commit must be signed.",
  "No new dependencies.",
  "We never work on Fridays.",
];
const rule = (index: number) => RULES[index % RULES.length] as string;

let folder: string;
let loaded: LoadedRules;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-pasted-"));
  loaded = loadRules(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isLearnt(text: string): boolean {
  const state = join(folder, `state${count++}`);
  const messages = [{ id: "m", role: "user" as const, text, toolCalls: [] }];
  atOnce(createStandingRules(folder, loaded, state).remember({ id: "s", format: "test", typed: true, messages }))();
  return readStanding(folder, state).length > 0;
}

test("learns nine of ten rules that users type among requests, reports and replies", () => {
  const missed = typed.filter((text) => !isLearnt(text));
  expect(typed.length).toBeGreaterThan(100);
  expect(missed.length / typed.length, missed.join("\n")).toBeLessThanOrEqual(0.1);
});

test("learns at most one of twenty rules of texts that users show, with words before or behind them", () => {
  const shown = pasted.map((text, index) => text.replaceAll("{R2}", rule(index * 3 + 1)).replaceAll("{R}", rule(index)));
  const learnt = shown.filter(isLearnt);
  expect(shown.length).toBeGreaterThan(100);
  expect(learnt.length / shown.length, learnt.join("\n")).toBeLessThanOrEqual(0.05);
});

test.each([
  ["words behind a code block", "Never run the integration tests.\n\n```\nfoo\n```\n\nWhat does that mean?"],
  ["words behind the rule about where it is from", "Never run the integration tests.\n\nBob wrote it on the wall."],
])("learns nothing because of %s", (_, text) => {
  expect(isLearnt(text)).toBe(false);
});
