// What the assistant said and what gave way later, and what it only said again of words of the user that did: it falls with them.
import type { Item, Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Tracer } from "./find.js";
import type { Updates } from "./outdated.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import { plainWords, topicOf } from "./topic.js";

/** Fewer terms do not tell what a text is about. */
const LEAST_TERMS = 2;
/** Share of the user's terms that is said again. */
const LEAST_SHARE = 0.5;
const OWN: readonly Kind[] = ["goal", "decision", "constraint", "rejection"];

interface Gone {
  readonly terms: ReadonlySet<string>;
  /** From where it was said to where it gave way. */
  readonly from: number;
  readonly to: number;
  /** The place of the words to which it gave way. */
  readonly by: string;
}

/** What the assistant said, and where. */
export interface SaidAgain {
  readonly source: string;
  readonly start: number;
  readonly text: string;
}

/** The place of the words to which it gave way; undefined where it did not. */
export type RepeatedOf = (said: SaidAgain) => string | undefined;

/** Facts that are no more than that. */
const REPEATED: readonly Kind[] = ["decision", "constraint", "done"];

export function endRepeated(items: readonly Item[], repeatedOf: RepeatedOf, trace?: Tracer): readonly Item[] {
  return items.map((item) => {
    const { by, kind, status, evidence } = item;
    if (by !== "assistant" || status !== "active" || !REPEATED.includes(kind)) return item;
    const why = repeatedOf({ source: evidence.source, start: evidence.start, text: evidence.quote });
    if (why === undefined) return item;
    trace?.({ rule: evidence.rule, outcome: "superseded", why, evidence });
    return { ...item, status: "superseded" };
  });
}

/** @param replacedBy the place of the words that took an item's place */
export function createRepeated(
  items: readonly Item[],
  { sure }: Updates,
  replacedBy: (item: Item) => string | undefined,
  rank: Rank,
  rules: RuleSet,
): RepeatedOf {
  const isPlain = plainWords(rules);
  const termsIn = (text: string) => new Set(topicOf(text, isPlain).terms);
  const all: Gone[] = [];
  const own = new Map<string, string>();
  for (const item of items) {
    const by = item.status === "superseded" ? replacedBy(item) : undefined;
    if (by !== undefined && item.by === "assistant") own.set(placeKey(item.evidence), by);
    else if (by !== undefined && OWN.includes(item.kind))
      all.push({ terms: termsIn(item.text), from: rank(item.evidence.source), to: rank(sourceIn(by)), by });
  }
  for (const [earlier, by] of sure)
    all.push({
      terms: termsIn(earlier.segment.text),
      from: rank(earlier.source.id),
      to: rank(by.source.id),
      by: `${by.source.id}:${by.segment.start}`,
    });
  const gone = all.filter(({ terms }) => terms.size >= LEAST_TERMS);
  if (gone.length + own.size === 0) return () => undefined;
  return (said) => {
    const ended = own.get(placeKey(said));
    if (ended !== undefined) return ended;
    const at = rank(said.source);
    const near = gone.filter(({ from, to }) => from < at && at < to);
    if (near.length === 0) return undefined;
    const { terms } = topicOf(said.text, isPlain);
    if (terms.length < LEAST_TERMS) return undefined;
    const isOf = (one: Gone) => terms.length >= LEAST_SHARE * one.terms.size && terms.every((term) => one.terms.has(term));
    return near.find(isOf)?.by;
  };
}

/** A place is a source and where in it. */
const sourceIn = (place: string) => place.slice(0, place.lastIndexOf(":"));
