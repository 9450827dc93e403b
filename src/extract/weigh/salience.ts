// Computes what a sentence is worth in a brief, whether a rule fired or not: the weights of its signals add up to the odds that
// somebody will miss it.

import type { Segment, Source, Statement } from "../../model.js";
import { type AskedSignal, DISPUTED, FORMER, PASTED, QUOTED, type SessionSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "../../steps.js";
import { withoutLeadIn } from "../../text/forms.js";
import { groupBy } from "../../text/lists.js";
import { sameText } from "../../text/words.js";
import type { Weighed } from "../facts/find-facts.js";
import { placeKeyOf, type Subject } from "../segments/subject.js";
import type { Updated } from "../settle/settle-items.js";
import type { Signals } from "../signals/signals.js";

/** Signals of the packs: a text only fills the gap between an agent's steps, or says where it looks next. */
const FILLS: AskedSignal = "fills";
const LOOKS_NEXT: AskedSignal = "looks-next";
/** Signal of the packs: a text needs the sentence before it. */
const NEEDS_BEFORE: AskedSignal = "needs-before";
/** What the calls of its message are about to change. */
const STILL_SO: AskedSignal = "still-so";
/** How something would be. */
const DESIGNS: AskedSignal = "designs";
const ORDERED: AskedSignal = "ordered";
/** One field of a report. */
const FIELD: AskedSignal = "field";
const ENACTED: SessionSignal = "enacted";
const HUNDREDTH = 0.01;
/** Statements between two pauses, and those that are weighed even if time is up. */
const STEP_STATEMENTS = 16;
const LATE_STATEMENTS = 100;

interface WeighOptions {
  /** The messages after the first change of a file. */
  readonly afterChange?: ReadonlySet<string>;
  /** Adds the strength of each signal to each statement, for fitting the weights. */
  readonly withSignals?: boolean | undefined;
  readonly late?: Late | undefined;
  /** The request of the user's that a message with this id is or answers. */
  readonly requestOf?: (message: string) => Statement["request"];
}

export function* weigh(
  weighed: readonly Weighed[],
  updated: Updated,
  rules: RuleSet,
  signals: Signals,
  { afterChange, withSignals, late, requestOf }: WeighOptions = {},
): Steps<readonly Statement[]> {
  const strengthOf = createStrengths(weighed, updated, signals);
  const ofSession = [...rules.salience].filter(([name]) => !rules.signals.has(name));
  const strengths = ofSession.map(([name, weight]) => ({ weight, strength: strengthOf(name) }));
  const isWorth = (subject: Subject) =>
    isStatementSource(subject.source) &&
    !updated.ended.has(placeKeyOf(subject)) &&
    !signals.holds(subject, QUOTED) &&
    !(subject.source.role === "assistant" && signals.holds(subject, DISPUTED)) &&
    !signals.holds(subject, STILL_SO) &&
    !(subject.source.role === "assistant" && (saysNothing(subject.segment.text, rules) || updated.repeated.has(subject)));
  // At the end of a session, it says what comes next.
  const fills = (subject: Subject) =>
    subject.source.role === "assistant" &&
    (signals.holds(subject, FILLS) || (!subject.source.places.has("session-end") && signals.holds(subject, LOOKS_NEXT)));
  const rowOf = createRows();
  let former: number | undefined;
  const quotedBefore = createQuotedBefore(signals);
  const statements: Statement[] = [];
  for (const one of late ? firstAndNewest(bySource(weighed)).flat() : weighed) {
    if (statements.length % STEP_STATEMENTS === 0) yield;
    if (statements.length >= LATE_STATEMENTS && late?.(STAGES.weigh)) break;
    const { subject, kinds } = one;
    const { source, segment } = subject;
    let sum = signals.sum(rules.salience, subject);
    for (const { weight, strength } of strengths) sum += weight * strength(one);
    const { start, end, node, task, lead } = segment;
    const row = node === "cell" ? rowOf(subject) : undefined;
    // Next to a former value, every cell of the row needs its column's title.
    if (row !== undefined && signals.holds(subject, FORMER)) former = row;
    const quoted = quotedBefore(subject);
    const request = requestOf?.(source.id);
    const text = row !== undefined && row === former && lead ? `${lead}: ${segment.text}` : segment.text;
    statements.push({
      ...(task && { task }),
      ...(row !== undefined && { row }),
      ...underOf(segment),
      ...(quoted !== undefined && { answers: quoted }),
      ...(afterChange?.has(source.id) && { afterChange: true }),
      ...(source.tool !== undefined && { tool: source.tool }),
      ...(fills(subject) && { fills: true }),
      ...(signals.holds(subject, NEEDS_BEFORE) && { needsBefore: true }),
      ...(source.role === "user" && signals.holds(subject, PASTED) && { pasted: true }),
      ...(signals.holds(subject, DESIGNS) && { proposed: signals.holds(subject, ORDERED) ? "ordered" : "open" }),
      ordinal: source.ordinal,
      source: source.id,
      by: source.by,
      node,
      text,
      start,
      end,
      salience: isWorth(subject) ? 1 / (1 + Math.exp(-sum * HUNDREDTH)) : 0,
      kinds,
      places: source.places,
      ...(withSignals && { signals: new Map([...rules.salience.keys()].map((name) => [name, strengthOf(name)(one)])) }),
      ...(request && { request }),
    });
  }
  return late ? statements.sort((a, b) => a.ordinal - b.ordinal) : statements;
}

const bySource = (weighed: readonly Weighed[]): readonly (readonly Weighed[])[] => [
  ...groupBy(weighed, ({ subject }) => subject.source).values(),
];

/** A paragraph introduces a list with its last sentence, if that ends with a colon, or if it is a title. */
function underOf({ node, lead = "", headings }: Segment): { readonly under?: string } {
  if (node !== "item" && node !== "task") return {};
  const title = TITLE.test(lead) ? lead : headings.at(-1);
  const intro = /(?:^|[.!?]\s)([^.!?]*(?:[.!?]\S[^.!?]*)*):\s*$/.exec(lead)?.[1] ?? title;
  return intro?.trim() ? { under: intro.trim() } : {};
}

/** A short line without the mark that ends a sentence. */
const TITLE = /^[^\n.!?;:]{1,60}$/;

/** What the user quotes of the assistant's words right before a remark on it. Texts must come in their order. */
function createQuotedBefore(signals: Signals): (subject: Subject) => string | undefined {
  let last: { readonly source: Source; readonly text: string } | undefined;
  return (subject) => {
    const { source, segment } = subject;
    const before = last?.source === source ? last.text : undefined;
    const isQuoted = source.role === "user" && signals.holds(subject, QUOTED);
    const text = withoutLeadIn(segment.text);
    last = isQuoted ? { source, text: before === undefined ? text : `${before} ${text}` } : undefined;
    return isQuoted ? undefined : before;
  };
}

/** Finds the row of each table cell: cells on one line are one row. Cells must come in their order. */
function createRows(): (subject: Subject) => number {
  let last: { readonly source: Source; readonly end: number; readonly row: number } | undefined;
  return ({ source, segment: { start, end } }) => {
    const isBeside = last?.source === source && !/[\n\r]/.test(source.text.slice(last.end, start));
    const row = last && isBeside ? last.row : start;
    last = { source, end, row };
    return row;
  };
}

const isStatementSource = ({ role }: Source) => role === "user" || role === "assistant" || role === "file";

/** "OK, understood." */
const saysNothing = (text: string, { nothing }: RuleSet) =>
  text.length <= NOTHING_CHARACTERS &&
  text.split(/[,.;:!\u2014]+/).every((part) => part.trim() === "" || nothing.has(sameText(part)));
const NOTHING_CHARACTERS = 40;

/** How often a text must be said until `echoed` is 1. */
const ECHOES = 5;
/** How often the number of texts must double until `crowded` is 1: 128 texts. */
const CROWD_DOUBLINGS = 7;

type Strength = (one: Weighed) => number;

/** The strength of a signal, from 0 to 1. Besides declared signals: `late` grows with the position in the session, `ruled` means
 * that a rule fired, `own` that it is a rule of the team's, `outdated` that later words ended it, `renewing` that it ended
 * something, `echoed` that it is repeated in the same words, `crowded` that its message says much else, `dropped` that nothing
 * later builds on it. */
function createStrengths(
  weighed: readonly Weighed[],
  { ended, renewing }: Updated,
  signals: Signals,
): (name: string) => Strength {
  const sources = (weighed.at(-1)?.subject.source.ordinal ?? 0) || 1;
  const times = new Map<string, number>();
  const texts = new Map<Source, number>();
  const names = new Map<Subject, readonly string[]>();
  /** The last message that mentions a name. */
  const mentioned = new Map<string, number>();
  /** A field of a report is repeated with other values. */
  const wordsOf = (subject: Subject) => {
    const { text } = subject.segment;
    const end = text.indexOf(":");
    return end > 0 && signals.holds(subject, FIELD) ? text.slice(0, end) : text;
  };
  for (const { subject } of weighed) {
    const { source } = subject;
    const words = wordsOf(subject);
    times.set(words, (times.get(words) ?? 0) + 1);
    texts.set(source, (texts.get(source) ?? 0) + 1);
    const own = subject.names;
    if (own.length > 0) names.set(subject, own);
    for (const name of own) mentioned.set(name, source.ordinal);
  }
  const isDropped = (subject: Subject) =>
    subject.source.role === "assistant" &&
    (names.get(subject)?.every((name) => (mentioned.get(name) ?? 0) <= subject.source.ordinal) ?? false) &&
    signals.strength(subject, ENACTED) === 0;
  const ofSession = new Map<string, Strength>([
    ["late", ({ subject }) => subject.source.ordinal / sources],
    ["ruled", ({ kinds }) => Number(kinds.length > 0)],
    ["own", ({ isOwn }) => Number(isOwn)],
    ["outdated", ({ subject }) => Number(ended.has(placeKeyOf(subject)))],
    ["renewing", ({ subject }) => Number(renewing.size > 0 && renewing.has(placeKeyOf(subject)))],
    ["echoed", ({ subject }) => Math.min(1, ((times.get(wordsOf(subject)) ?? 1) - 1) / (ECHOES - 1))],
    ["dropped", ({ subject }) => (isDropped(subject) ? 1 - subject.source.ordinal / sources : 0)],
    [
      "crowded",
      ({ subject: { source } }) =>
        source.role === "file" ? 0 : Math.min(1, Math.log2(texts.get(source) ?? 1) / CROWD_DOUBLINGS),
    ],
  ]);
  return (name) => ofSession.get(name) ?? (({ subject }) => signals.strength(subject, name));
}
