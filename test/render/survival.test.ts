// Facts that a user plants among talk about the work, in six domains: how many are in a brief of a fifth of the conversation.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRules, extract, type Message, render } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";

interface Fact {
  readonly say: string;
  readonly keep: readonly string[];
  readonly was?: string;
  readonly stale?: readonly string[];
}

interface Facts {
  readonly acks: readonly string[];
  readonly domains: Readonly<Record<string, { readonly talk: readonly string[]; readonly facts: readonly Fact[] }>>;
}

const { rules } = builtInRules();
const { acks, domains } = parse(readFileSync("test/fixtures/survival.yaml", "utf8")) as Facts;
const SEEDS = 10;
const CHARACTERS_PER_TOKEN = 4;
const SHARE = 1 / 5;

/** The same numbers for the same seed. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

/** One session with all facts of a domain in some order, and what a brief of it must hold. */
function sessionOf(domain: string, seed: number) {
  const { talk, facts } = domains[domain] as Facts["domains"][string];
  const next = randomOf(seed * 7_919 + domain.length * 104_729 + domain.charCodeAt(0) * 31);
  const letters = (count: number) => Array.from({ length: count }, () => String.fromCharCode(97 + next(26))).join("");
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const values: Record<string, string> = {
    name: `${capital(letters(4))} ${capital(letters(5))}`,
    place: capital(letters(6)),
    n: String(10 + next(80)),
    day: `2027-${String(1 + next(12)).padStart(2, "0")}-${10 + next(18)}`,
  };
  const messages: Message[] = [];
  const say = (text: string) => {
    const ack = acks[(messages.length / 2) % acks.length] as string;
    messages.push({ id: `u${messages.length}`, role: "user", text, toolCalls: [] });
    messages.push({ id: `a${messages.length}`, role: "assistant", text: ack, toolCalls: [] });
  };
  let told = 0;
  const chat = (count: number) => {
    for (let more = count; more > 0; more--) say(talk[told++ % talk.length] as string);
  };
  chat(2);
  const order = facts.map((fact) => ({ fact, at: next(1_000) })).sort((a, b) => a.at - b.at);
  const wanted = order.map(({ fact }) => {
    const own = { ...values, code: letters(5) + values.n };
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: string) => own[key as keyof typeof own] ?? key);
    if (fact.was !== undefined) {
      say(fill(fact.was));
      chat(next(2));
    }
    say(fill(fact.say));
    chat(2 + next(2));
    return { keep: fact.keep.map(fill), stale: (fact.stale ?? []).map(fill) };
  });
  return { session: { id: `${domain}-${seed}`, format: "neutral", messages }, wanted };
}

function briefOf(session: ReturnType<typeof sessionOf>["session"]): string {
  const characters = session.messages.reduce((sum, { text }) => sum + text.length, 0);
  const tokens = Math.floor((characters * SHARE) / CHARACTERS_PER_TOKEN);
  const { text } = render(extract(session, rules), rules.templates.get("brief") as Template, rules, { tokens });
  return text.toLowerCase().replace(/\s+/g, " ");
}

const cases = Object.keys(domains).flatMap((domain) =>
  Array.from({ length: SEEDS }, (_, index) => {
    const { session, wanted } = sessionOf(domain, index + 1);
    const brief = briefOf(session);
    const has = (texts: readonly string[]) => texts.every((text) => brief.includes(text.toLowerCase()));
    return wanted.map(({ keep, stale }) => ({
      kept: has(keep),
      isReplaced: stale.length > 0,
      isStale: stale.length > 0 && has(stale),
    }));
  }).flat(),
);
const shareOf = (all: typeof cases, is: (one: (typeof cases)[number]) => boolean) => all.filter(is).length / all.length;

describe("a brief of a fifth of the conversation", () => {
  test("holds the planted facts", () => {
    expect(shareOf(cases, ({ kept }) => kept)).toBeGreaterThanOrEqual(0.64);
  });

  test("leaves out values that were replaced", () => {
    const replaced = cases.filter(({ isReplaced }) => isReplaced);
    expect(shareOf(replaced, ({ isStale }) => isStale)).toBe(0);
  });
});
