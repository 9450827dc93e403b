// Rules × segments. Which rules are tried is told by the words of the text, so many rules cost little more than few.
import { REMEMBERED_TEXTS, SEGMENT_MATCHES } from "../limits.js";
import type { Place, Source } from "../model.js";
import { mayMatch, type PatternMatch } from "../rules/pattern.js";
import type { Phrase } from "../rules/phrase.js";
import { matchPhrase, type PhraseMatch } from "../rules/phrase-match.js";
import type { Condition, Holding, Rule, RuleSet, Selector, Signal } from "../rules/rule-set.js";
import { toWords, type Words } from "../rules/words.js";
import type { Around } from "./around.js";
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
    const anywhere = rule.match.some(({ anchors }) => anchors.length === 0);
    if (anywhere || (rule.match.length === 0 && rule.regex.length === 0)) always.push(rule);
    if (rule.regex.length > 0) byPattern.push(rule);
    for (const anchor of rule.match.flatMap((phrase) => phrase.anchors)) {
      const list = byWord.get(anchor) ?? new Set();
      byWord.set(anchor, list.add(rule));
    }
  }

  /** The rules that may have something to say, in their order. */
  function candidates(subject: Subject): readonly Rule[] {
    const found = new Set(always);
    for (const word of subject.wordSet) for (const rule of byWord.get(word) ?? []) found.add(rule);
    if (byPattern.length > 0) {
      const lower = subject.segment.text.toLowerCase();
      for (const rule of byPattern) if (rule.regex.some((pattern) => mayMatch(pattern, lower))) found.add(rule);
    }
    return [...found].sort((a, b) => a.order - b.order);
  }

  const signalsByWord = new Map<string, Set<string>>();
  const freeSignals = new Set<string>();
  for (const { id, match, regex } of rules.signals.values()) {
    if (regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0)) freeSignals.add(id);
    for (const anchor of match.flatMap(({ anchors }) => anchors))
      signalsByWord.set(anchor, (signalsByWord.get(anchor) ?? new Set()).add(id));
  }
  const possible = new WeakMap<Subject, ReadonlySet<string>>();

  /** Without one of its words no phrase of a signal can match. */
  function mayHold(subject: Subject, name: string): boolean {
    if (freeSignals.has(name)) return true;
    let names = possible.get(subject);
    if (!names) {
      names = new Set([...subject.wordSet].flatMap((word) => [...(signalsByWord.get(word) ?? [])]));
      possible.set(subject, names);
    }
    return names.has(name);
  }

  const known = new WeakMap<Subject, Map<string, boolean>>();

  /** Does a signal hold? */
  function holds(subject: Subject, name: string): boolean {
    const answers = known.get(subject) ?? new Map<string, boolean>();
    known.set(subject, answers);
    const before = answers.get(name);
    if (before !== undefined) return before;
    const signal = rules.signals.get(name);
    const answer = signal ? isSignal(signal, subject) : degree(subject, name) >= HALF;
    answers.set(name, answer);
    return answer;
  }

  const isSignal = (signal: Signal, subject: Subject) =>
    mayHold(subject, signal.id) && isOutside(signal.in, subject) === undefined && judge(signal, subject).is === "match";

  /** How much a signal holds, from 0 to 1. */
  function strength(subject: Subject, name: string): number {
    return rules.signals.has(name) ? (holds(subject, name) ? 1 : 0) : degree(subject, name);
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

  /** The key of the selector that does not hold; undefined when all do. */
  function isOutside(selector: Selector, subject: Subject): keyof Selector | undefined {
    const excluded = outside(selector, subject);
    if (excluded !== undefined) return excluded;
    const { around, source } = subject;
    const { opening, after, reply } = selector;
    const begins = (other: Source | undefined, names: readonly string[]) =>
      other !== undefined && around?.opening(other).some((one) => names.some((name) => holds(one, name)));
    if (opening && !begins(source, opening)) return "opening";
    if (reply && !begins(around?.reply(source), reply)) return "reply";
    const before = around?.before(source);
    if (after && !(around && before && after.some((name) => saidIn(around, before, name)))) return "after";
    return undefined;
  }

  return { candidates, holds, strength, outside: isOutside };
}

export type Matcher = ReturnType<typeof createMatcher>;

/** A signal that holds by degrees counts as held from here on. */
const HALF = 0.5;

/** A signal that is told from the whole session. */
function degree(subject: Subject, name: string): number {
  const { around } = subject;
  if (!around) return 0;
  if (name === "enacted" || name === "described" || name === "written") return around.deeds.of(subject)[name];
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
  const { words, segment } = subject;
  const match = firstMatch(condition, subject);
  if (!match) return { is: "no-match" };
  const guard = condition.unless.find((phrase) => guards(phrase, subject, match));
  if (guard) return { is: "guarded", by: guard.source };
  return { is: "match", match };

  function firstMatch({ match: phrases, regex }: Condition, { wordSet }: Subject): Match | undefined {
    if (phrases.length === 0 && regex.length === 0) return { start: 0, end: segment.text.length, slots: [] };
    for (const phrase of phrases) {
      if (phrase.anchors.length > 0 && !phrase.anchors.some((anchor) => wordSet.has(anchor))) continue;
      const found = matchPhrase(phrase, words);
      if (found) return fromPhrase(phrase, found, words);
    }
    const lower = regex.length > 0 ? segment.text.toLowerCase() : "";
    for (const pattern of regex) {
      if (!mayMatch(pattern, lower)) continue;
      for (const found of pattern.matches(segment.text)) return fromPattern(found);
    }
    return undefined;
  }
}

/** A guard counts unless it begins inside what slots took: that is the fact itself, not what is said about it. */
function guards(phrase: Phrase, { words, wordSet }: Subject, match: Match): boolean {
  if (!phrase.anchors.some((anchor) => wordSet.has(anchor))) return false;
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
export function firstPhrase(phrases: readonly Phrase[], words: Words): Match | undefined {
  for (const phrase of phrases) {
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

/** The key of the selector that does not hold; undefined when all do. */
export function outside(selector: Selector, { segment, source, words }: Subject): keyof Selector | undefined {
  if (selector.role ? !selector.role.has(source.role as never) : source.role === "system") return "role";
  // Quotations and links are somebody else's words, and headings and cells no sentences: rules must ask for them.
  if (selector.node ? !selector.node.has(segment.node) : !["sentence", "item", "task"].includes(segment.node)) return "node";
  if (selector.mood && !selector.mood.has(segment.question ? "question" : "statement")) return "mood";
  if (selector.place && ![...selector.place].some((place: Place) => source.places.has(place))) return "place";
  if (selector.part && !(segment.part && selector.part.has(segment.part))) return "part";
  if (selector.task && !selector.task.has(segment.task ?? "none")) return "task";
  if (selector.file && !selector.file.has(source.file ?? "")) return "file";
  if (selector.entry && (segment.entry ?? 0) > 0) return "entry";
  if (selector.entry === "head" && !segment.head) return "entry";
  if (selector.leaf && segment.leaf === false) return "leaf";
  if (selector.message && (source.text.length < selector.message.min || source.text.length > selector.message.max))
    return "message";
  if (selector.words && (words.folded.length < selector.words.min || words.folded.length > selector.words.max)) return "words";
  if (selector.has && ![...selector.has].some((what) => HOLDINGS[what](segment.text, source.text, segment.start))) return "has";
  if (selector.under && !segment.headings.some((heading) => saysHeading(selector.under ?? [], heading))) return "under";
  if (selector.lead && !(segment.lead !== undefined && says(selector.lead, segment.lead))) return "lead";
  return undefined;
}

const HOLDINGS: Readonly<Record<Holding, (text: string, source: string, start: number) => boolean>> = {
  code: (text) => text.includes("`"),
  path: (text) => /[\w.-]\/[\w.-]|\w\.[a-z]{1,4}\b/i.test(text),
  number: (text) => /(?:^|[^\p{L}\p{N}_.])\p{N}/u.test(text),
  name: (text) => /\p{Ll}\p{Lu}|\p{L}_\p{L}|\p{L}\(\)/u.test(text),
  bold: (_, source, start) => source.startsWith("**", start) || source.startsWith("__", start),
  arrow: (text) => /→|->|=>/.test(text),
  bare: (text) => /^(?:`[^`]*`|[^\s`]+)[.:,]?$/.test(text),
};

/** Numbers and ornaments before a heading are not part of what it says. */
const saysHeading = (phrases: readonly Phrase[], heading: string) =>
  says(phrases, heading) || says(phrases, heading.replace(/^(?:[^\p{L}\p{N}]+|\d+(?:\.\d+)*[.):]?\s+)+/u, ""));

const remembered = new WeakMap<readonly Phrase[], Map<string, boolean>>();

/** Headings and leads repeat for every item below them. */
export function says(phrases: readonly Phrase[], text: string): boolean {
  const answers = remembered.get(phrases) ?? new Map<string, boolean>();
  remembered.set(phrases, answers);
  const before = answers.get(text);
  if (before !== undefined) return before;
  const words = toWords(text);
  const answer = phrases.some((phrase) => matchPhrase(phrase, words) !== undefined);
  if (answers.size >= REMEMBERED_TEXTS) answers.clear();
  answers.set(text, answer);
  return answer;
}
