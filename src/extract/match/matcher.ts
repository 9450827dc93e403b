// Applies a rule set to a text: which rules match, which signals hold, and what they add up to.

import type { Source } from "../../model.js";
import { DISPUTED, PASTED, QUOTED, type Selector, type Signal } from "../../rules/condition.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import type { Cues, Rule, RuleSet } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { judge, occurs, type Verdict } from "./condition.js";
import { createConditionIndex, mayMeet } from "./condition-index.js";
import { asksAround, outside } from "./selector.js";
import { DEEDS, type Subject } from "./subject.js";

/** The matcher of a rule set. Its index is built once. */
export const matcherFor = rememberFor(createMatcher);

function createMatcher(rules: RuleSet) {
  const signals = [...rules.signals.values()];
  const numbers = new Map(signals.map(({ id }, number) => [id, number]));
  const isOpen = signals.map(({ in: selector }) => asksAround(selector));
  const index = createConditionIndex([...signals, ...rules.rules]);

  const localOf = rememberLocal((subject) => {
    const held: number[] = [];
    const open: number[] = [];
    const tried = new Map<Rule, Phrase[] | undefined>();
    index.select(subject, (condition, phrase) => {
      if (condition >= signals.length) {
        const rule = rules.rules[condition - signals.length] as Rule;
        const phrases = tried.get(rule);
        if (phrases && phrase) phrases.push(phrase);
        else tried.set(rule, phrase && [phrase]);
        return;
      }
      const list = isOpen[condition] ? open : held;
      const signal = signals[condition] as Signal;
      if (phrase && list.includes(condition)) return;
      const holds =
        phrase && signal.unless.length === 0 ? matchPhrase(phrase, subject.words) !== undefined : occurs(signal, subject);
      if (holds) list.push(condition);
    });
    return { held, open, verdicts: verdictsOn(tried, subject), cues: cuesInReach(subject, held, open) };
  });

  /** The weight of each signal, by its number. */
  const tableOf = rememberFor((weights: ReadonlyMap<string, number>) => signals.map(({ id }) => weights.get(id) ?? 0));

  const reaches = rules.cues.map((cues) => ({
    cues,
    table: tableOf(cues.weights),
    /** The signals that exclude it, by number. */
    refusing: cues.not.flatMap((name) => numbers.get(name) ?? []),
  }));

  /** The cues that may reach their threshold. Most texts fall short even if all signals that depend on the session held. */
  function cuesInReach(subject: Subject, held: readonly number[], open: readonly number[]): readonly Cues[] {
    let found: Cues[] | undefined;
    for (const { cues, table, refusing } of reaches) {
      let most = cues.gain;
      for (const signal of held) most += table[signal] as number;
      for (const signal of open) most += Math.max(0, table[signal] as number);
      if (most < cues.least || refusing.some((signal) => held.includes(signal)) || outside(cues.in, subject) !== undefined)
        continue;
      found ??= [];
      found.push(cues);
    }
    return found ?? NO_CUES;
  }

  /** The sum of the weights of all signals that hold. */
  function sum(weights: ReadonlyMap<string, number>, subject: Subject): number {
    const table = tableOf(weights);
    const { held, open } = localOf(subject);
    let total = 0;
    for (const signal of held) total += table[signal] as number;
    for (const signal of open) if (table[signal] !== 0 && agrees(signal, subject)) total += table[signal] as number;
    return total;
  }

  const answers = new WeakMap<Source, Map<number, boolean>>();

  /** Do the surrounding texts agree to a signal? They are the same for all texts of a source. */
  function agrees(signal: number, subject: Subject): boolean {
    const own = answers.get(subject.source) ?? new Map<number, boolean>();
    answers.set(subject.source, own);
    const answer = own.get(signal) ?? disagrees((signals[signal] as Signal).in, subject) === undefined;
    own.set(signal, answer);
    return answer;
  }

  /** Does a signal hold? Checked one by one, because the surrounding texts are checked by signals too. */
  function holds(subject: Subject, name: string): boolean {
    const signal = numbers.get(name);
    if (signal === undefined) return degree(subject, name) >= HALF;
    const { held, open } = localOf(subject);
    return held.includes(signal) || (open.includes(signal) && agrees(signal, subject));
  }

  /** The strength of a signal, from 0 to 1. */
  const strength = (subject: Subject, name: string): number =>
    numbers.get(name) === undefined ? degree(subject, name) : holds(subject, name) ? 1 : 0;

  const told = new WeakMap<Source, Map<string, boolean>>();

  /** Does a signal hold for any text of a source, or for one in its opening? */
  function saidIn(source: Source, name: string, texts: (source: Source) => readonly Subject[], where: string): boolean {
    const answers = told.get(source) ?? new Map<string, boolean>();
    told.set(source, answers);
    const key = `${where} ${name}`;
    const answer = answers.get(key) ?? texts(source).some((subject) => holds(subject, name));
    answers.set(key, answer);
    return answer;
  }

  /** The key of the selector that the surrounding texts do not meet; undefined if they meet all. */
  function disagrees({ opening, after, reply }: Selector, { around, source }: Subject): keyof Selector | undefined {
    const says = (other: Source | undefined, names: readonly string[], texts: "opening" | "subjects") =>
      other !== undefined && around !== undefined && names.some((name) => saidIn(other, name, around[texts], texts));
    if (opening && !says(source, opening, "opening")) return "opening";
    if (reply && !says(around?.reply(source), reply, "opening")) return "reply";
    if (after && !says(around?.before(source), after, "subjects")) return "after";
    return undefined;
  }

  /** The key of the selector that does not hold; undefined if all hold. */
  const isOutside = (selector: Selector, subject: Subject) =>
    outside(selector, subject) ?? (asksAround(selector) ? disagrees(selector, subject) : undefined);

  /** The rules that may match, wherever they apply. */
  const candidates = (subject: Subject) => rules.rules.filter((rule) => mayMeet(rule, subject));

  return { candidates, localOf, sum, holds, strength, outside: isOutside };
}

export type Matcher = ReturnType<typeof createMatcher>;

/** @param tried the rules that may match, each with those of its phrases that may */
function verdictsOn(tried: ReadonlyMap<Rule, readonly Phrase[] | undefined>, subject: Subject): Local["verdicts"] {
  const verdicts: { rule: Rule; verdict: Verdict }[] = [];
  for (const [rule, found] of tried) {
    const phrases = found && found.length > 1 ? rule.match.filter((phrase) => found.includes(phrase)) : found;
    const verdict = judge(rule, subject, phrases);
    if (verdict.is !== "no-match") verdicts.push({ rule, verdict });
  }
  return verdicts.sort((a, b) => a.rule.order - b.rule.order);
}

const NO_CUES: readonly Cues[] = [];
/** A signal with a degree counts as held from here on. */
const HALF = 0.5;

/** The degree of a signal that depends on the whole session. */
function degree(subject: Subject, name: string): number {
  const { around } = subject;
  if (!around) return 0;
  const deed = DEEDS.find((one) => one === name);
  if (deed) return around.deeds.of(subject, deed);
  if (name === PASTED) return around.isPasted(subject) ? 1 : 0;
  if (name === QUOTED) return around.quotes.isQuoted(subject) ? 1 : 0;
  if (name === DISPUTED) return around.quotes.isDisputed(subject) ? 1 : 0;
  return around.picks.of(subject)?.state === name ? 1 : 0;
}

// What a text says by itself: the signals that hold and the rules that match, before the surrounding texts are checked. Cached by
// text and place, because a long-running host compacts the same session again and again.

interface Local {
  /** Signals that hold, by number. */
  readonly held: readonly number[];
  /** Signals that hold if the surrounding texts agree. */
  readonly open: readonly number[];
  /** Rules that match or are guarded, in their order. */
  readonly verdicts: readonly { readonly rule: Rule; readonly verdict: Verdict }[];
  /** Cues that may reach their threshold. */
  readonly cues: readonly Cues[];
}

function rememberLocal(work: (subject: Subject) => Local): (subject: Subject) => Local {
  // Not `work` itself: the cache would keep every rule set in memory that was ever used.
  const own = {};
  return (subject) => {
    const { memo, source } = subject;
    const place = placeOf(source);
    const known = memo.local;
    // The same text in another place is rare, so only the last place is cached.
    if (known && known.of === own && known.place === place) return known.local as Local;
    const local = work(subject);
    memo.local = { of: own, place, local };
    return local;
  };
}

const places = new WeakMap<Source, string>();

/** Everything that a selector may check of a source besides its text. */
function placeOf(source: Source): string {
  let place = places.get(source);
  if (place === undefined) {
    const { role, file, text } = source;
    place = `${role} ${file ?? ""} ${text.length}`;
    for (const one of source.places) place += ` ${one}`;
    places.set(source, place);
  }
  return place;
}
