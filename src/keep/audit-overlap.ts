// How much of a fact stands in a stretch of a summary, how close together and in which order.
import { type Indexed, keysOf, type Prepared } from "./audit-index.js";
import type { Term } from "./audit-text.js";

/** A content word of a fact. */
export interface Wanted {
  readonly term: Term;
  readonly count: number;
  /** Its first place. */
  readonly at: number;
  /** Said in one place and denied in another. */
  readonly mixed: boolean;
}

/** What a fact must be recognised by. */
export interface Profile {
  readonly prepared: Prepared;
  readonly content: ReadonlyMap<string, Wanted>;
  /** Light words by key, with the first place. */
  readonly light: ReadonlyMap<string, number>;
}

export interface Overlap {
  /** Word positions in the summary. */
  readonly from: number;
  readonly to: number;
  readonly missing: readonly Term[];
  readonly missingLight: boolean;
  /** Some word of the fact stands there less often. */
  readonly fewer: boolean;
  /** Share of the fact's content words. */
  readonly coverage: number;
  /** Of the content words there, the share that is the fact's. */
  readonly density: number;
  /** Share of the shared words that stand in the fact's order. */
  readonly order: number;
  /** Positions in the summary of the fact's words, with their key. */
  readonly hits: readonly { readonly at: number; readonly key: string }[];
}

export function toProfile(prepared: Prepared): Profile {
  const content = new Map<string, Wanted>();
  const { denied } = prepared.signs;
  const light = new Map<string, number>();
  for (const [at, term] of prepared.terms.entries()) {
    if (term.weight === "light" && !light.has(term.key)) light.set(term.key, at);
    if (term.weight !== "content") continue;
    const before = content.get(term.key);
    const mixed = before !== undefined && (before.mixed || denied[before.at] !== denied[at]);
    content.set(term.key, before ? { ...before, count: before.count + 1, mixed } : { count: 1, at, term, mixed });
  }
  return { prepared, content, light };
}

/** Looks at the words `low` up to but not including `high` of the summary. */
export function overlap(fact: Profile, summary: Indexed, low: number, high: number): Overlap {
  const { terms } = summary;
  const all: { at: number; key: string }[] = [];
  for (let at = low; at < high; at++) {
    const term = terms[at] as Term;
    const key = fact.content.has(term.key) ? term.key : keysOf(term).find((one) => fact.content.has(one));
    if (key !== undefined) all.push({ at, key });
  }
  const hits = closest(all);
  const from = hits[0]?.at ?? low;
  const to = (hits.at(-1)?.at ?? low - 1) + 1;
  const counts = new Map<string, number>();
  for (const { key } of hits) counts.set(key, (counts.get(key) ?? 0) + 1);
  const everywhere = new Map<string, number>();
  for (const { key } of all) everywhere.set(key, (everywhere.get(key) ?? 0) + 1);
  const own = new Set(hits.map(({ at }) => at));
  let foreign = 0;
  // What is said more often than by the fact is said of something else.
  for (const [key, count] of counts) foreign += Math.max(0, count - (fact.content.get(key)?.count ?? 0));
  const met = hits.length - foreign;
  const light = new Set<string>();
  for (let at = low; at < high; at++) {
    const term = terms[at] as Term;
    if (fact.light.has(term.key)) light.add(term.key);
    if (at >= from && at < to && term.weight === "content" && !own.has(at)) foreign++;
  }
  const wanted = [...fact.content];
  return {
    from,
    to,
    hits,
    missing: wanted.flatMap(([key, { term }]) => (counts.has(key) ? [] : [term])),
    missingLight: light.size < fact.light.size,
    fewer: wanted.some(([key, { count }]) => (everywhere.get(key) ?? 0) < count),
    coverage: wanted.length === 0 ? 0 : counts.size / wanted.length,
    density: hits.length === 0 ? 0 : met / (met + foreign),
    order: hits.length === 0 ? 0 : rising(hits.map(({ key }) => fact.content.get(key)?.at ?? 0)) / counts.size,
  };
}

/** The shortest stretch of hits that has all their keys. */
function closest<T extends { at: number; key: string }>(hits: readonly T[]): readonly T[] {
  const wanted = new Set(hits.map(({ key }) => key)).size;
  if (wanted === hits.length) return hits;
  const inside = new Map<string, number>();
  let best: readonly [number, number] = [0, hits.length];
  let width = Number.POSITIVE_INFINITY;
  let from = 0;
  for (const [to, { key, at }] of hits.entries()) {
    inside.set(key, (inside.get(key) ?? 0) + 1);
    while (inside.size === wanted) {
      const first = hits[from] as T;
      if (at - first.at < width) {
        width = at - first.at;
        best = [from, to + 1];
      }
      const count = (inside.get(first.key) ?? 0) - 1;
      if (count > 0) inside.set(first.key, count);
      else inside.delete(first.key);
      from++;
    }
  }
  return hits.slice(...best);
}

/** Length of the longest strictly rising subsequence. */
function rising(numbers: readonly number[]): number {
  const tails: number[] = [];
  for (const number of numbers) {
    const at = tails.findIndex((tail) => tail >= number);
    tails[at === -1 ? tails.length : at] = number;
  }
  return tails.length;
}
