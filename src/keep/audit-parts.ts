// A fact of several parts, told in another order: do the words of each part stay together?
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { ReadText } from "./audit-text.js";

/** Numbers the parts: a clause, or what "and" joins in it. */
export function toParts({ terms, marks }: ReadText): Uint32Array {
  const joined = new Set(marks.flatMap(({ mark, from }) => (mark === "coordinator" ? [from] : [])));
  const parts = new Uint32Array(terms.length);
  let [part, words, tied] = [0, 0, false];
  for (const [at, { clause, sentence, weight }] of terms.entries()) {
    const before = terms[at - 1];
    // "Staging: …": one word alone goes with what follows, but not the last of a list.
    const ends = before?.sentence !== sentence || (before.clause !== clause && (words > 1 || tied));
    if (ends || (joined.has(at) && words > 0)) [part, words, tied] = [part + 1, 0, joined.has(at)];
    if (weight === "content") words++;
    parts[at] = part;
  }
  return parts;
}

export interface Parting {
  /** Two parts there mix the same two parts of the fact: "A with two, B with one" for "A with one, B with two". */
  readonly crossed: boolean;
  /** Each part there is of one part of the fact, with its words in their order. */
  readonly parted: boolean;
  /** No part of the fact has two numbers that could be exchanged. */
  readonly single: boolean;
}

/** Parts with fewer words say nothing about what belongs together. */
const PART_WORDS = 2;

interface Found {
  /** The parts of the fact that its words are of. */
  readonly of: Set<number>;
  readonly first: number;
  last: number;
  count: number;
  falls: number;
}

/** In their order, or with the end put in front: "on staging, carts live in Redis". */
const isInOrder = ({ falls, first, last, count }: Found) => falls === 0 || count <= PART_WORDS || (falls === 1 && last < first);

export function compareParts({ prepared, content }: Profile, summary: Indexed, { hits }: Overlap): Parting {
  const there = new Map<number, Found>();
  const times = new Map<string, number>();
  for (const { key } of hits) times.set(key, (times.get(key) ?? 0) + 1);
  for (const { at, key } of hits) {
    const own = content.get(key);
    // A word that is said twice belongs to either.
    if (!own || own.term.vague || own.count > 1 || (times.get(key) ?? 0) > 1) continue;
    const part = summary.parts[at] as number;
    const place = prepared.ranks[own.at] as number;
    const found = there.get(part) ?? { of: new Set<number>(), first: place, last: -1, count: 0, falls: 0 };
    there.set(part, found);
    found.of.add(prepared.parts[own.at] as number);
    if (place < found.last) found.falls++;
    found.last = place;
    found.count++;
  }
  const all = [...there.values()];
  const mixed = all.filter(({ of }) => of.size > 1);
  const pairs = new Set<string>();
  let crossed = false;
  for (const { of } of mixed) {
    const sorted = [...of].sort((a, b) => a - b);
    for (const [index, one] of sorted.entries())
      for (const other of sorted.slice(index + 1)) {
        const pair = `${one} ${other}`;
        if (pairs.has(pair)) crossed = true;
        pairs.add(pair);
      }
  }
  const whole = all.filter(({ count }) => count >= PART_WORDS);
  const parted = mixed.length === 0 && all.length > 1 && whole.length > 0 && all.every(isInOrder);
  const numbered = [...content.values()].flatMap(({ term, at }) => (term.sort === "number" ? [prepared.parts[at]] : []));
  return { crossed, parted, single: new Set(numbered).size === numbered.length };
}
