// What the assistant said and what gave way later, and what it only said again of words of the user that did: it falls with them.
import type { Item, Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Updates } from "./outdated.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import type { Subject } from "./subject.js";
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
}

/** @param replacedIn the source whose words took an item's place */
export function createRepeated(
  items: readonly Item[],
  { sure }: Updates,
  replacedIn: (item: Item) => string | undefined,
  rank: Rank,
  rules: RuleSet,
): (subject: Subject) => boolean {
  const isPlain = plainWords(rules);
  const termsIn = (text: string) => new Set(topicOf(text, isPlain).terms);
  const all: Gone[] = [];
  const own = new Set<string>();
  for (const item of items) {
    const by = item.status === "superseded" ? replacedIn(item) : undefined;
    if (by !== undefined && item.by === "assistant") own.add(placeKey(item.evidence));
    else if (by !== undefined && OWN.includes(item.kind))
      all.push({ terms: termsIn(item.text), from: rank(item.evidence.source), to: rank(by) });
  }
  for (const [earlier, by] of sure)
    all.push({ terms: termsIn(earlier.segment.text), from: rank(earlier.source.id), to: rank(by.source.id) });
  const gone = all.filter(({ terms }) => terms.size >= LEAST_TERMS);
  if (gone.length + own.size === 0) return () => false;
  return ({ source, segment }) => {
    if (source.role !== "assistant") return false;
    if (own.has(placeKey({ source: source.id, start: segment.start }))) return true;
    const at = rank(source.id);
    const near = gone.filter(({ from, to }) => from < at && at < to);
    if (near.length === 0) return false;
    const { terms } = topicOf(segment.text, isPlain);
    return (
      terms.length >= LEAST_TERMS &&
      near.some((one) => terms.length >= LEAST_SHARE * one.terms.size && terms.every((term) => one.terms.has(term)))
    );
  };
}
