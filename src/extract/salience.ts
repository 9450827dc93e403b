// How much a sentence is worth in a brief, rule hit or not: the weights of its signals, added up to the odds that
// somebody will miss it.
import type { Kind, Source, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";
import { CONTESTED, createContested } from "./contested.js";
import type { Deed } from "./deeds.js";
import type { Matcher } from "./matcher.js";
import type { Updates } from "./outdated.js";
import { findRemoved, REMOVED } from "./removed.js";
import type { RepeatedOf } from "./repeated.js";
import type { Subject } from "./subject.js";
import { mayHoldName } from "./topic.js";

export interface Weighed {
  readonly subject: Subject;
  readonly kinds: readonly Kind[];
  readonly near: Near;
}

/** What of a statement's worth is told by its message and those around it, wherever they stand. */
export interface Near {
  /** What the declared signals that hold add up to. */
  readonly sum: number;
  /** How much the others of them hold, by their places in `nearNames`; none where all are 0. */
  readonly shares: readonly number[];
  /** false where it names nothing that could be undone. */
  readonly isNamed: boolean;
  /** It only fills the room between an agent's steps. */
  readonly fills: boolean;
}

/** The signals by which packs say so, and what only tells where an agent looks next. */
const FILLS = "fills";
const LOOKS_NEXT = "looks-next";
const HUNDREDTH = 0.01;
const UNDONE: Deed = "undone";
/** What is told from the whole session. */
const FAR: ReadonlySet<string> = new Set(["late", "ruled", "outdated", "renewing", "crowded", "echoed", REMOVED, UNDONE]);

const toldOf = ({ salience, signals }: RuleSet) => [...salience].filter(([name]) => !signals.has(name));
const nearNames = (rules: RuleSet) => toldOf(rules).flatMap(([name]) => (FAR.has(name) ? [] : [name]));

export function createNear(rules: RuleSet, matcher: Matcher): (subject: Subject) => Near {
  const names = nearNames(rules);
  const contested = createContested(rules, matcher);
  const asksNames = rules.salience.has(UNDONE);
  const shareOf = (subject: Subject, name: string) => (name === CONTESTED ? contested(subject) : matcher.strength(subject, name));
  // At the end of a session it tells what comes next.
  const fills = (subject: Subject) =>
    matcher.holds(subject, FILLS) || (!subject.source.places.has("session-end") && matcher.holds(subject, LOOKS_NEXT));
  return (subject) => {
    const { source, segment } = subject;
    const shares = names.map((name) => shareOf(subject, name));
    return {
      sum: matcher.sum(rules.salience, subject),
      shares: shares.some((share) => share !== 0) ? shares : NO_SHARES,
      isNamed: asksNames && source.role === "assistant" && mayHoldName(segment.text),
      fills: source.role === "assistant" && fills(subject),
    };
  };
}

export interface Later {
  readonly updates: Updates;
  /** It only says again what gave way. */
  readonly repeatedOf: RepeatedOf;
  /** Also tells of each statement which signals hold, and how much, for those who fit the weights. */
  readonly signals?: boolean | undefined;
}

export function weigh(
  weighed: readonly Weighed[],
  { updates, repeatedOf, signals = false }: Later,
  rules: RuleSet,
  matcher: Matcher,
): readonly Statement[] {
  if (weighed.length === 0) return [];
  const strength = createStrength(weighed, updates, rules, matcher);
  const saysAgain = ({ source, segment }: Subject) =>
    repeatedOf({ source: source.id, start: segment.start, text: segment.text }) !== undefined;
  const isWorth = ({ subject }: Weighed) =>
    isSaid(subject.source) &&
    !updates.outdated.has(subject) &&
    !(subject.source.role === "assistant" && (saysAgain(subject) || saysNothing(subject.segment.text, rules)));
  const told = toldOf(rules);
  const rowOf = createRows();
  return weighed.map((one) => {
    const { source, segment } = one.subject;
    const { kinds } = one;
    let { sum } = one.near;
    for (const [name, weight] of told) sum += weight * strength(one, name);
    const { start, end, node, text, task } = segment;
    return {
      ...(task && { task }),
      ...(node === "cell" && { row: rowOf(one.subject) }),
      ...(source.tool !== undefined && { tool: source.tool }),
      ...(one.near.fills && { fills: true }),
      ordinal: source.ordinal,
      source: source.id,
      by: source.by,
      node,
      text,
      start,
      end,
      salience: isWorth(one) ? 1 / (1 + Math.exp(-sum * HUNDREDTH)) : 0,
      kinds,
      places: source.places,
      ...(signals && { signals: new Map([...rules.salience.keys()].map((name) => [name, strength(one, name)])) }),
    };
  });
}

/** Cells of one row stand on one line; they are asked for one behind the other. */
function createRows(): (subject: Subject) => number {
  let last: { readonly source: Source; readonly end: number; readonly row: number } | undefined;
  return ({ source, segment: { start, end } }) => {
    const isBeside = last?.source === source && !/[\n\r]/.test(source.text.slice(last.end, start));
    const row = last && isBeside ? last.row : start;
    last = { source, end, row };
    return row;
  };
}

const NO_SHARES: readonly number[] = [];
const isSaid = ({ role }: Source) => role === "user" || role === "assistant" || role === "file";

/** "OK, understood." */
const saysNothing = (text: string, { nothing }: RuleSet) =>
  text.length <= NOTHING_CHARACTERS &&
  text.split(/[,.;:!\u2014]+/).every((part) => part.trim() === "" || nothing.has(sameText(part)));
const NOTHING_CHARACTERS = 40;

/** How often a text must be said to count as wholly said again and again. */
const ECHOES = 5;
/** Doublings of the number of texts until a message counts as wholly crowded: 128 texts. */
const CROWD_DOUBLINGS = 7;

/**
 * How much a signal holds, from 0 to 1. Beside declared ones: `late` grows with the place in the session, `ruled` tells
 * that a rule fired, `outdated` that the user said otherwise later and `renewing` that this is what was said then, `echoed`
 * that it is said over and over in the same words, `crowded` that its message says much else, `contested` that the user
 * answers it with an objection, `removed` that what it speaks of was taken out later.
 */
function createStrength(weighed: readonly Weighed[], { outdated, renewing }: Updates, rules: RuleSet, matcher: Matcher) {
  const places = new Map(nearNames(rules).map((name, place) => [name, place]));
  const subjects = weighed.map(({ subject }) => subject);
  const sources = (subjects.at(-1)?.source.ordinal ?? 0) || 1;
  const times = new Map<string, number>();
  const texts = new Map<Source, number>();
  for (const { segment, source } of subjects) {
    times.set(segment.text, (times.get(segment.text) ?? 0) + 1);
    texts.set(source, (texts.get(source) ?? 0) + 1);
  }
  const removed = rules.salience.has(REMOVED) ? findRemoved(subjects, rules, matcher) : new Set<Subject>();
  return ({ subject, kinds, near }: Weighed, name: string): number => {
    const place = places.get(name);
    if (place !== undefined) return near.shares[place] ?? 0;
    if (name === "late") return subject.source.ordinal / sources;
    if (name === "ruled") return kinds.length > 0 ? 1 : 0;
    if (name === "outdated") return outdated.has(subject) ? 1 : 0;
    if (name === "renewing") return renewing.has(subject) ? 1 : 0;
    if (name === REMOVED) return removed.has(subject) ? 1 : 0;
    if (name === UNDONE && !near.isNamed) return 0;
    if (name === "crowded")
      return subject.source.role === "file" ? 0 : Math.min(1, Math.log2(texts.get(subject.source) ?? 1) / CROWD_DOUBLINGS);
    if (name === "echoed") return Math.min(1, ((times.get(subject.segment.text) ?? 1) - 1) / (ECHOES - 1));
    return matcher.strength(subject, name);
  };
}
