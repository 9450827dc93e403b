// What gives way to later words of the user, and what stands in its place: the last word counts.
import { FACTS_BACK } from "../limits.js";
import type { Item, Kind } from "../model.js";
import type { Tracer } from "./find.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import { evidenceOf, type Subject } from "./subject.js";

/** Later words, and what they say where they say it only together with what they replace. */
export interface Replacement {
  readonly by: Subject;
  readonly text?: string;
  /** They only take away. */
  readonly bare?: boolean;
}

/** An item that may change while others are replaced. */
export interface Standing {
  item: Item;
}

export interface Ledger {
  readonly entries: readonly Standing[];
  /** The nearest of those that may have been said before these words. */
  readonly before: (words: Subject, rank: Rank) => readonly Standing[];
  readonly replace: (entry: Standing, replacement: Replacement) => void;
  /** It stands no longer, for the reason that is told to those who ask. */
  readonly end: (entry: Standing, why: string) => void;
}

/** Kinds that a later word of the user sets anew. */
const RENEWED: readonly Kind[] = ["decision", "constraint", "rejection"];
/** Fewer words say only that something is gone. */
const LEAST_WORDS = 4;

/** @param items as they were said */
export function openLedger(items: readonly Item[], trace?: Tracer): Ledger {
  const entries = items.map((item): Standing => ({ item }));
  const count = entries.length;
  const byPlace = new Map<string, Standing>();
  const note = (entry: Standing) => {
    if (RENEWED.includes(entry.item.kind)) byPlace.set(placeKey(entry.item.evidence), entry);
  };
  for (const entry of entries) note(entry);
  function end(entry: Standing, why: string): void {
    const { item } = entry;
    trace?.({ rule: item.evidence.rule, outcome: "superseded", why, evidence: item.evidence });
    entry.item = { ...item, status: "superseded" };
  }
  function replace(entry: Standing, { by, text, bare }: Replacement): void {
    const { item } = entry;
    const { rule, source, start } = item.evidence;
    end(entry, `${by.source.id}:${by.segment.start}`);
    const evidence = evidenceOf(by, rule);
    const own = byPlace.get(placeKey(evidence));
    if (own && text !== undefined) own.item = { ...own.item, text };
    if (own || bare || !RENEWED.includes(item.kind) || (text === undefined && by.words.folded.length < LEAST_WORDS)) return;
    trace?.({ rule, outcome: "fired", why: `in place of ${source}:${start}`, evidence });
    const said = text ?? by.segment.text.replace(/\s+/g, " ").replace(/[.!]$/, "");
    const added = { item: { ...item, text: said, fields: {}, by: by.source.by, evidence, also: [] } };
    entries.push(added);
    note(added);
  }
  function before({ source, segment }: Subject, rank: Rank): readonly Standing[] {
    const at = rank(source.id);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { evidence } = (entries[middle] as Standing).item;
      const place = rank(evidence.source);
      if (place < at || (place === at && evidence.start < segment.start)) low = middle + 1;
      else high = middle;
    }
    // What was put in since stands behind the others, each at the place of the words that put it there.
    const added = entries.slice(Math.max(count, entries.length - FACTS_BACK));
    return [...entries.slice(Math.max(0, low - FACTS_BACK), low), ...added];
  }
  return { entries, before, replace, end };
}

/** Was all of it said before these words? */
export function isBefore({ evidence, also }: Item, { source, segment }: Subject, rank: Rank): boolean {
  const at = rank(source.id);
  return [evidence, ...also].every((one) => rank(one.source) < at || (one.source === source.id && one.end <= segment.start));
}
