// Whole conversations that somebody made to take long: four times as much takes about four times as long.
import { expect, test } from "vitest";
import { audit } from "../../src/audit/audit.js";
import { repair } from "../../src/audit/repair.js";
import { builtInRules, extract } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";
import { FOUND, SESSIONS } from "../hostile/inputs.mjs";

const { rules } = builtInRules();
const SHORT = 20_000;
const LONG = 80_000;
/** What grows with the square takes 16 times as long. */
const MOST = 10;
/** Less is told by chance. */
const LEAST_MILLISECONDS = 40;
const TRIES = 3;

const TAGS = Object.entries(FOUND)
  .filter(([name]) => name.startsWith("tags of a host"))
  .map(([name, make]) => [name, (size: number) => [{ role: "user" as const, text: make(size) }]] as const);

function timed(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function cost(messages: ReturnType<(typeof SESSIONS)[string]>): number {
  const session = {
    id: "session",
    format: "test",
    messages: messages.map((message, index) => ({ id: `m${index}`, toolCalls: [], ...message })),
  };
  // Texts are cut once for a rule set: what is measured is the first time.
  const own = { ...rules, abbreviations: [...rules.abbreviations] };
  const template = rules.templates.get("repair") as Template;
  return timed(() => repair(extract(session, own), "We talked about module 7.", template, own));
}

function expectInProportion(costOf: (size: number) => number): void {
  const growth = () => costOf(LONG) / Math.max(costOf(SHORT), LEAST_MILLISECONDS);
  let least = growth();
  for (let tried = 1; tried < TRIES && least > MOST; tried++) least = Math.min(least, growth());
  expect(least).toBeLessThan(MOST);
}

test.each([...Object.entries(SESSIONS), ...TAGS])("%s", (_, make) => {
  expectInProportion((size) => cost(make(size)));
});

test.each(["+", "-", "a/", "a://b:c"])("a summary of %s, again and again", (mark) => {
  const facts = [{ kind: "decision", text: "use SQLite for the cache" }];
  expectInProportion((size) => timed(() => audit(facts, mark.repeat(size / mark.length), { rules })));
});
