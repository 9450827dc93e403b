// The order of a fact's words in a summary: is it the same sentence, put another way, or with its parts exchanged?
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Term } from "./audit-text.js";

/** Share of all words of the fact, small ones too, that stand around the match in the same order. */
export function likeness(fact: Profile, { terms }: Indexed, { from, to }: Overlap): number {
  const own = fact.prepared.terms;
  const sentence = terms[from]?.sentence;
  let low = from;
  let high = to;
  while (low > 0 && from - low < own.length && terms[low - 1]?.sentence === sentence) low--;
  while (high < terms.length && high - to < own.length && terms[high]?.sentence === terms[to - 1]?.sentence) high++;
  let row = new Uint16Array(high - low + 1);
  for (const { key } of own) {
    const next = new Uint16Array(row.length);
    for (let at = 1; at < row.length; at++) {
      const same = (terms[low + at - 1] as Term).key === key;
      next[at] = same ? (row[at - 1] as number) + 1 : Math.max(row[at] as number, next[at - 1] as number);
    }
    row = next;
  }
  return own.length === 0 ? 0 : (row.at(-1) as number) / own.length;
}

/** One part of a sentence moved to another place leaves at most this many breaks in the order. */
const BREAKS = 4;

/** Are words in another order because a part was moved, not because two words took each other's place? */
export function isMoved(fact: Profile, summary: Indexed, { hits }: Overlap): boolean {
  const firsts = [...new Map(hits.map(({ key }) => [key, fact.content.get(key)?.at ?? 0])).values()];
  const sorted = [...firsts].sort((a, b) => a - b);
  const ranks = firsts.map((at) => sorted.indexOf(at));
  const breaks = ranks.filter((rank, index) => index > 0 && rank !== (ranks[index - 1] as number) + 1).length;
  if (breaks > BREAKS || !keepsNumbers(fact, summary, hits)) return false;
  const stays = (index: number) => ranks[index] === index;
  const isExchange = (a: number, b: number) =>
    a !== b && ranks[a] === b && ranks[b] === a && [a, b].every((at) => stays(at - 1) || stays(at + 1));
  return ranks.every((rank, index) => {
    if (!isExchange(index, rank)) return true;
    // Within one run of words, as in "hand-written guards", nothing can be exchanged.
    const [low = 0, high = 0] = [sorted[Math.min(rank, index)], sorted[Math.max(rank, index)]];
    const between = fact.prepared.terms.slice(low, high + 1);
    const names = [between[0], between.at(-1)].filter((term) => term?.sort !== "word").length;
    return names < 2 && between.every(({ weight }) => weight === "content");
  });
}

/** Numbers stand in their order, each beside the word that it stands beside in the fact. */
function keepsNumbers(fact: Profile, summary: Indexed, hits: Overlap["hits"]): boolean {
  const numbers = hits.flatMap(({ at, key }) => {
    const own = fact.content.get(key);
    return own?.term.sort === "number" ? [{ at, own: own.at }] : [];
  });
  if (numbers.some(({ own }, index) => index > 0 && own < (numbers[index - 1]?.own ?? 0))) return false;
  return numbers.every(({ at, own }) => {
    const meant = besides(fact.prepared.terms, own);
    const there = besides(summary.terms, at);
    return meant.length === 0 || meant.some((key) => there.includes(key));
  });
}

/** The nearest content words of a clause, on both sides where they are equally near. */
function besides(terms: readonly Term[], at: number): readonly string[] {
  const inClause = (index: number) => terms[index]?.clause === terms[at]?.clause;
  for (let distance = 1; inClause(at - distance) || inClause(at + distance); distance++) {
    const found = [at - distance, at + distance].filter((index) => inClause(index) && terms[index]?.weight === "content");
    if (found.length > 0) return found.map((index) => (terms[index] as Term).key);
  }
  return [];
}
