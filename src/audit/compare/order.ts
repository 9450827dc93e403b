// Compares word order: is a place the fact's sentence, a rewording of it, or one with swapped parts?
import type { Indexed, PreparedText } from "../read/index-summary.js";
import { SIGN } from "../read/signs.js";
import type { Term } from "../read/terms.js";
import { byVoice, type Hit, type Overlap, type Profile, rankOf, withoutVague } from "./overlap.js";

/** Share of all words of the fact, including small ones, that are around the match in the same order. */
export function likeness(fact: Profile, { terms }: Indexed, { from, to }: Overlap): number {
  const own = fact.prepared.terms;
  const sentence = terms[from]?.sentence;
  let low = from;
  let high = to;
  while (low > 0 && from - low < own.length && terms[low - 1]?.sentence === sentence) low--;
  while (high < terms.length && high - to < own.length && terms[high]?.sentence === terms[to - 1]?.sentence) high++;
  const keys = terms.slice(low, high).map(({ key }) => key);
  const row = new Uint16Array(keys.length + 1);
  for (const { key } of own) {
    let [left, diagonal] = [0, 0];
    for (let at = 1; at < row.length; at++) {
      const above = row[at] as number;
      if (keys[at - 1] === key) left = diagonal + 1;
      else if (above > left) left = above;
      row[at] = left;
      diagonal = above;
    }
  }
  return own.length === 0 ? 0 : (row.at(-1) as number) / own.length;
}

/** Breaks in the order, counting both ends, that moving one part causes. */
const BREAKS = 3;
/** Longest run of adjacent words. */
const RUN_WORDS = 3;

/** Are the words in the fact's order, or was only one part moved as a whole? */
export function sameOrder(fact: Profile, summary: Indexed, match: Overlap, told: boolean): boolean {
  if (match.order >= 1) return true;
  const { crossed, parted, single } = compareParts(fact, summary, match);
  if (crossed) return false;
  return (parted && single) || (isMoved(fact, summary, match) && (told || keepsNames(fact, summary, match)));
}

/** Compares denied and affirmed words separately, because the denial already separates them. */
function isMoved(fact: Profile, summary: Indexed, match: Overlap): boolean {
  const isDenied = ({ key }: Hit) => fact.prepared.signs.of[fact.content.get(key)?.at ?? 0] === SIGN.denied;
  const hits = withoutVague(match.hits, fact);
  return [hits.filter(isDenied), hits.filter((hit) => !isDenied(hit))].every((some) =>
    isOneMove(fact, summary, some, match.voiced),
  );
}

function isOneMove(fact: Profile, summary: Indexed, weighty: readonly Hit[], voiced: boolean): boolean {
  const placeOf = (key: string) => (voiced ? rankOf(fact, key) : (fact.content.get(key)?.at ?? 0));
  const told = voiced ? byVoice(weighty, summary) : weighty;
  const firsts = [...new Map(told.map(({ key }) => [key, placeOf(key)])).values()];
  const sorted = [...firsts].sort((a, b) => a - b);
  const places = voiced ? firsts : inRuns(fact, firsts);
  const ranks = [-1, ...places.map((at) => sorted.indexOf(at)), sorted.length];
  return ranks.filter((rank, index) => index > 0 && rank !== (ranks[index - 1] as number) + 1).length <= BREAKS;
}

/** Sorts each run of adjacent words, as in "hand-written guards": order inside a run means nothing. */
function inRuns(fact: Profile, places: readonly number[]): readonly number[] {
  const { terms } = fact.prepared;
  const isNext = (low: number, high: number) => {
    const between = terms.slice(low, high + 1);
    return (
      between.every(({ weight, clause }) => weight === "content" && clause === between[0]?.clause) &&
      between.filter(({ sort }) => sort !== "word").length < 2
    );
  };
  const found: number[] = [];
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    for (let end = from + 2; end <= places.length; end++) {
      const part = places.slice(from, end).sort((a, b) => a - b);
      const [low = 0, high = 0] = [part[0], part.at(-1)];
      if (high - low >= RUN_WORDS) break;
      if (high - low === part.length - 1 && isNext(low, high)) to = end;
    }
    found.push(...places.slice(from, to).sort((a, b) => a - b));
    from = to;
  }
  return found;
}

/** Do names, and numbers, keep their order? They may swap if a small word before one of them identifies it. */
function keepsNames(fact: Profile, summary: Indexed, { hits }: Overlap): boolean {
  const own = fact.prepared.terms;
  const names = hits.flatMap(({ at, key }) => {
    const wanted = fact.content.get(key);
    if (!wanted || !isAnchor(wanted.term)) return [];
    const lead = leadBefore(own, wanted.at);
    const bound = isAlone(summary.terms, at) ? ":" : lead === leadBefore(summary.terms, at) ? lead : undefined;
    const sort = `${/^\d/.test(key)} ${fact.prepared.signs.of[wanted.at] === SIGN.denied}`;
    return [{ own: wanted.at, sort, bound }];
  });
  return names.every((one, index) =>
    names.slice(index + 1).every((other) => one.own <= other.own || one.sort !== other.sort || one.bound !== other.bound),
  );
}

const isAnchor = ({ sort, named, key }: Term): boolean => sort !== "word" || named || /^\d/.test(key);

/** The small word directly before a word. */
function leadBefore(terms: readonly Term[], at: number): string | undefined {
  const before = terms[at - 1];
  return before?.clause === terms[at]?.clause && before?.weight === "filler" ? before.folded : undefined;
}

/** "`apps/web`: …": the word is the only one in its clause. */
const isAlone = (terms: readonly Term[], at: number) =>
  terms[at - 1]?.clause !== terms[at]?.clause && terms[at + 1]?.clause !== terms[at]?.clause;

export interface Parting {
  /** Two parts there mix the same two parts of the fact: "A with two, B with one" for "A with one, B with two". */
  readonly crossed: boolean;
  /** Each part there comes from one part of the fact, with its words in order. */
  readonly parted: boolean;
  /** No part of the fact has two numbers that could be swapped. */
  readonly single: boolean;
}

/** The order inside parts of at most this many words means nothing. At least one part needs this many. */
const PART_WORDS = 2;

interface PartThere {
  /** The parts of the fact that its words come from. */
  readonly of: Set<number>;
  readonly first: number;
  last: number;
  count: number;
  falls: number;
}

/** In order, or with the end moved to the front: "on staging, carts live in Redis". */
const isInOrder = ({ falls, first, last, count }: PartThere) =>
  falls === 0 || count <= PART_WORDS || (falls === 1 && last < first);

export function compareParts({ prepared, content }: Profile, summary: Indexed, { hits }: Overlap): Parting {
  const there = new Map<number, PartThere>();
  const times = new Map<string, number>();
  for (const { key } of hits) times.set(key, (times.get(key) ?? 0) + 1);
  for (const { at, key } of hits) {
    const own = content.get(key);
    // A word that occurs twice may belong to either part.
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

/** The nearest words on each side of a verb. A passive is turned into its active form. */
interface Sides {
  readonly left: ReadonlySet<string>;
  readonly right: ReadonlySet<string>;
  /** The passive names its doer. */
  readonly told: boolean;
}

export function sameRoles({ prepared, content, light }: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  for (let at = from; at < to; at++) {
    const { key, weight } = summary.terms[at] as Term;
    if (weight === "filler") continue;
    const own = light.get(key) ?? content.get(key)?.at;
    if (own === undefined || (content.get(key)?.count ?? 1) > 1) continue;
    const [here, there] = [sidesOf(prepared, own), sidesOf(summary, at)];
    // A word that occurs twice may be on both sides.
    const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
      [...one].some((word) => other.has(word) && content.get(word)?.count === 1);
    const before = meets(there.left, here.right);
    const behind = meets(there.right, here.left);
    if ((before && behind) || ((here.told || there.told) && (before || behind))) return false;
  }
  return true;
}

const NEITHER: Sides = { left: new Set(), right: new Set(), told: false };

function sidesOf({ terms, doers, auxiliary, placed }: PreparedText, at: number): Sides {
  // "Deploys are …": the word is not a verb.
  if (auxiliary.has(at + 1)) return NEITHER;
  const doer = doers.get(at);
  const left = runFrom(terms, at, -1, placed);
  if (!doer) return { left, right: runFrom(terms, at, 1, placed), told: false };
  return { left: new Set(doer.map((index) => (terms[index] as Term).key)), right: left, told: doer.length > 0 };
}

/** Longest distance, in words, that is searched on a side. */
const SIDE_WORDS = 6;

/** Stops at words like "of": what follows them belongs to a noun, not to the verb. */
function runFrom(terms: readonly Term[], at: number, step: 1 | -1, placed: ReadonlySet<number>): ReadonlySet<string> {
  const { clause } = terms[at] as Term;
  const found = new Set<string>();
  const end = at + step * SIDE_WORDS;
  let next = at + step;
  while (next !== end && terms[next]?.clause === clause && terms[next]?.weight !== "content" && !placed.has(next)) next += step;
  for (; next !== end && terms[next]?.clause === clause && terms[next]?.weight === "content"; next += step)
    found.add((terms[next] as Term).key);
  return found;
}
