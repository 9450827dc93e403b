// Rules × segments. Which rules are tried is told by the words of the text, so many rules cost little more than few.
import { SEGMENT_MATCHES } from "../limits.js";
import type { Source } from "../model.js";
import { mayMatch, type PatternMatch } from "../rules/pattern.js";
import { mayHold, type Phrase } from "../rules/phrase.js";
import { matchPhrase, type PhraseMatch } from "../rules/phrase-match.js";
import type { Condition, Cues, Rule, RuleSet, Selector, Signal } from "../rules/rule-set.js";
import type { Words } from "../rules/words.js";
import type { Around } from "./around.js";
import { DEEDS } from "./deeds.js";
import { isOpen, rememberLocal } from "./local.js";
import { type Check, checksOf, isFor, outside } from "./selector.js";
import type { Subject } from "./subject.js";

/** Characters of the visible text that a match covers, and what its slots took. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly slots: readonly { readonly name: string; readonly type: string; readonly start: number; readonly end: number }[];
}

export type Verdict =
  | { readonly is: "match"; readonly match: Match }
  | { readonly is: "guarded"; readonly by: string }
  | { readonly is: "no-match" };

const matchers = new WeakMap<RuleSet, Matcher>();

/** The index of a rule set is made once. */
export function matcherFor(rules: RuleSet): Matcher {
  const matcher = matchers.get(rules) ?? createMatcher(rules);
  matchers.set(rules, matcher);
  return matcher;
}

function createMatcher(rules: RuleSet) {
  const byWord = new Map<string, Set<Rule>>();
  const always: Rule[] = [];
  const byPattern: Rule[] = [];
  for (const rule of rules.rules) {
    const anywhere = [...rule.match, ...rule.regex].some(({ anchors }) => anchors.length === 0);
    if (anywhere || (rule.match.length === 0 && rule.regex.length === 0)) always.push(rule);
    else if (rule.regex.length > 0) byPattern.push(rule);
    for (const anchor of rule.match.flatMap((phrase) => phrase.anchors)) {
      const list = byWord.get(anchor) ?? new Set();
      byWord.set(anchor, list.add(rule));
    }
  }

  /** Rules that need no word are many, but each is for few sorts of text. */
  const alwaysFor = new Map<string, readonly Rule[]>();
  function wordless({ source, segment }: Subject): readonly Rule[] {
    const key = `${source.role} ${segment.node}`;
    const before = alwaysFor.get(key);
    if (before) return before;
    const own = always.filter((rule) => isFor(rule.in, source, segment));
    alwaysFor.set(key, own);
    return own;
  }

  /** The rules that may have something to say, in their order. */
  function candidates(subject: Subject): readonly Rule[] {
    const own = wordless(subject);
    let found: Set<Rule> | undefined;
    for (const word of subject.words.folded) {
      const more = byWord.get(word);
      if (!more) continue;
      found ??= new Set(own);
      for (const rule of more) found.add(rule);
    }
    if (byPattern.length > 0) {
      const { text } = subject.segment;
      const lower = text.toLowerCase();
      for (const rule of byPattern)
        if (rule.regex.some((pattern) => mayMatch(pattern, text, lower))) found = (found ?? new Set(own)).add(rule);
    }
    return found ? [...found].sort((a, b) => a.order - b.order) : own;
  }

  const signalsByWord = new Map<string, Signal[]>();
  const freeSignals: Signal[] = [];
  for (const signal of rules.signals.values()) {
    const { match, regex } = signal;
    if (regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0)) freeSignals.push(signal);
    else
      for (const anchor of new Set(match.flatMap(({ anchors }) => anchors)))
        signalsByWord.set(anchor, [...(signalsByWord.get(anchor) ?? []), signal]);
  }
  const freeFor = new Map<string, readonly { readonly signal: Signal; readonly checks: readonly Check[] }[]>();

  /** The signals that need no word, for this sort of text, and what is left to ask. */
  function freeSignalsFor({ source, segment }: Subject) {
    const key = `${source.role} ${segment.node}`;
    const before = freeFor.get(key);
    if (before) return before;
    const own = freeSignals.filter(({ in: selector }) => isFor(selector, source, segment));
    const free = own.map((signal) => ({ signal, checks: checksOf(signal.in) }));
    freeFor.set(key, free);
    return free;
  }

  const localOf = rememberLocal((subject) => {
    const held = new Set<string>();
    const open: Signal[] = [];
    const take = (signal: Signal) => {
      if (!occurs(signal, subject)) return;
      if (isOpen(signal.in)) open.push(signal);
      else held.add(signal.id);
    };
    for (const { signal, checks } of freeSignalsFor(subject)) if (checks.every(({ holds }) => holds(subject))) take(signal);
    // Without one of its words no phrase of a signal can match.
    const tried = new Set<Signal>();
    for (const word of subject.wordSet)
      for (const signal of signalsByWord.get(word) ?? []) {
        if (tried.has(signal)) continue;
        tried.add(signal);
        if (outside(signal.in, subject) === undefined) take(signal);
      }
    const verdicts: { rule: Rule; verdict: Verdict }[] = [];
    for (const rule of candidates(subject)) {
      if (outside(rule.in, subject) !== undefined) continue;
      const verdict = judge(rule, subject);
      if (verdict.is !== "no-match") verdicts.push({ rule, verdict });
    }
    return { held, open: open.length > 0 ? open : NO_SIGNALS, verdicts, cues: cuesInReach(subject, held, open) };
  });

  /** Most texts fall short even if everything held for them that must be told from the session. */
  function cuesInReach(subject: Subject, held: ReadonlySet<string>, open: readonly Signal[]): readonly Cues[] {
    const found = rules.cues.filter((cues) => {
      let most = cues.gain;
      for (const name of held) most += cues.weights.get(name) ?? 0;
      for (const { id } of open) most += Math.max(0, cues.weights.get(id) ?? 0);
      return most >= cues.least && outside(cues.in, subject) === undefined && !cues.not.some((name) => held.has(name));
    });
    return found.length > 0 ? found : NO_CUES;
  }

  const known = new WeakMap<Subject, ReadonlySet<string>>();

  /** The declared signals that hold. */
  function signalsOf(subject: Subject): ReadonlySet<string> {
    const { held, open } = localOf(subject);
    if (open.length === 0) return held;
    const before = known.get(subject);
    if (before) return before;
    const agreed = open.filter((signal) => agrees(signal, subject)).map(({ id }) => id);
    const signals = agreed.length === 0 ? held : new Set([...held, ...agreed]);
    known.set(subject, signals);
    return signals;
  }

  const answers = new WeakMap<Subject, Map<Signal, boolean>>();

  function agrees(signal: Signal, subject: Subject): boolean {
    const own = answers.get(subject) ?? new Map<Signal, boolean>();
    answers.set(subject, own);
    const answer = own.get(signal) ?? disagrees(signal.in, subject) === undefined;
    own.set(signal, answer);
    return answer;
  }

  /** Does a signal hold? One by one, because what stands around is told by signals, too. */
  function holds(subject: Subject, name: string): boolean {
    if (!rules.signals.has(name)) return degree(subject, name) >= HALF;
    const { held, open } = localOf(subject);
    if (held.has(name)) return true;
    const signal = open.find(({ id }) => id === name);
    return signal !== undefined && agrees(signal, subject);
  }

  /** How much a signal holds, from 0 to 1. */
  function strength(subject: Subject, name: string): number {
    return rules.signals.has(name) ? (signalsOf(subject).has(name) ? 1 : 0) : degree(subject, name);
  }

  const told = new WeakMap<Source, Map<string, boolean>>();

  /** Does a signal hold for any text of a source? */
  function saidIn(around: Around, source: Source, name: string): boolean {
    const answers = told.get(source) ?? new Map<string, boolean>();
    told.set(source, answers);
    const answer = answers.get(name) ?? around.subjects(source).some((subject) => holds(subject, name));
    answers.set(name, answer);
    return answer;
  }

  /** The key of the selector that the texts around do not agree to; undefined when all do. */
  function disagrees({ opening, after, reply }: Selector, { around, source }: Subject): keyof Selector | undefined {
    const begins = (other: Source | undefined, names: readonly string[]) =>
      other !== undefined && around?.opening(other).some((one) => names.some((name) => holds(one, name)));
    if (opening && !begins(source, opening)) return "opening";
    if (reply && !begins(around?.reply(source), reply)) return "reply";
    const before = after && around?.before(source);
    if (after && !(around && before && after.some((name) => saidIn(around, before, name)))) return "after";
    return undefined;
  }

  /** The key of the selector that does not hold; undefined when all do. */
  const isOutside = (selector: Selector, subject: Subject) =>
    outside(selector, subject) ?? (isOpen(selector) ? disagrees(selector, subject) : undefined);

  return {
    candidates,
    localOf,
    signalsOf,
    holds,
    strength,
    outside: isOutside,
  };
}

const NO_SIGNALS: readonly Signal[] = [];
const NO_CUES: readonly Cues[] = [];

export type Matcher = ReturnType<typeof createMatcher>;

/** A signal that holds by degrees counts as held from here on. */
const HALF = 0.5;

/** A signal that is told from the whole session. */
function degree(subject: Subject, name: string): number {
  const { around } = subject;
  if (!around) return 0;
  const deed = DEEDS.find((one) => one === name);
  if (deed) return around.deeds.of(subject, deed);
  return around.picks.of(subject)?.state === name ? 1 : 0;
}

/** What all patterns find in a text, for those who want more than the first. */
export function allMatches({ regex }: Condition, { segment }: Subject): readonly Match[] {
  return regex.flatMap((pattern) => {
    const found: Match[] = [];
    for (const match of pattern.matches(segment.text)) if (found.push(fromPattern(match)) >= SEGMENT_MATCHES) break;
    return found;
  });
}

/** The first phrase that matches decides, also when a guard then refuses; without phrases the whole text is the match. */
export function judge(condition: Condition, subject: Subject): Verdict {
  const match = firstMatch(condition, subject);
  if (!match) return NO_MATCH;
  const guard = condition.unless.find((phrase) => guards(phrase, subject, match));
  return guard ? { is: "guarded", by: guard.source } : { is: "match", match };
}

const NO_MATCH: Verdict = { is: "no-match" };

/** The same where only that it matches counts. */
function occurs(condition: Condition, subject: Subject): boolean {
  const { match, regex, unless } = condition;
  if (match.length === 0 && regex.length === 0 && unless.length === 0) return true;
  if (regex.length > 0 || unless.length > 0) return judge(condition, subject).is === "match";
  return match.some((phrase) => mayHold(phrase, subject.wordSet) && matchPhrase(phrase, subject.words) !== undefined);
}

function firstMatch({ match: phrases, regex }: Condition, { wordSet, words, segment }: Subject): Match | undefined {
  if (phrases.length === 0 && regex.length === 0) return { start: 0, end: segment.text.length, slots: [] };
  for (const phrase of phrases) {
    if (!mayHold(phrase, wordSet)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  const lower = regex.length > 0 ? segment.text.toLowerCase() : "";
  for (const pattern of regex) {
    if (!mayMatch(pattern, segment.text, lower)) continue;
    for (const found of pattern.matches(segment.text)) return fromPattern(found);
  }
  return undefined;
}

/** A guard counts unless it begins inside what slots took: that is the fact itself, not what is said about it. */
function guards(phrase: Phrase, { words, wordSet }: Subject, match: Match): boolean {
  if (phrase.anchors.length === 0 || !mayHold(phrase, wordSet)) return false;
  for (let from = 0; ; ) {
    const found = matchPhrase(phrase, words, from);
    if (!found) return false;
    const at = words.start[found.from] ?? 0;
    if (!match.slots.some((slot) => isFact(slot, match) && at >= slot.start && at < slot.end)) return true;
    from = found.from + 1;
  }
}

/** Words that the phrase itself names are not free text, and neither is what `...` skips in front of them. */
function isFact({ type, start }: Match["slots"][number], match: Match): boolean {
  return type === "gap" ? start > match.start : type !== "capture";
}

/** The slots of the first of the phrases that matches. */
export function firstPhrase(phrases: readonly Phrase[], words: Words, wordSet?: ReadonlySet<string>): Match | undefined {
  for (const phrase of phrases) {
    if (wordSet && !mayHold(phrase, wordSet)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  return undefined;
}

function fromPhrase(phrase: Phrase, found: PhraseMatch, words: Words): Match {
  const start = (from: number) => words.start[from] ?? 0;
  const end = (to: number) => words.end[to - 1] ?? 0;
  const slots = phrase.slots.flatMap(({ name, type }, index) => {
    const span = found.slots[index];
    return span && span.to > span.from ? [{ name, type, start: start(span.from), end: end(span.to) }] : [];
  });
  return { start: start(found.from), end: end(found.to), slots };
}

function fromPattern(found: PatternMatch): Match {
  const slots = Object.entries(found.groups).map(([name, span]) => ({ name, type: "pattern", ...span }));
  return { start: found.start, end: found.end, slots };
}
