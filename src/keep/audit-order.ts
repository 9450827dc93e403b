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
export function isMoved(fact: Profile, { hits }: Overlap): boolean {
  const firsts = [...new Map(hits.map(({ key }) => [key, fact.content.get(key)?.at ?? 0])).values()];
  const sorted = [...firsts].sort((a, b) => a - b);
  const ranks = firsts.map((at) => sorted.indexOf(at));
  const breaks = ranks.filter((rank, index) => index > 0 && rank !== (ranks[index - 1] as number) + 1).length;
  if (breaks > BREAKS) return false;
  return ranks.every((rank, index) => {
    if (rank === index || ranks[rank] !== index) return true;
    // Within one run of words, as in "hand-written guards", nothing can be exchanged.
    const [low = 0, high = 0] = [sorted[Math.min(rank, index)], sorted[Math.max(rank, index)]];
    const between = fact.prepared.terms.slice(low, high + 1);
    const names = [between[0], between.at(-1)].filter((term) => term?.sort !== "word").length;
    return names < 2 && between.every(({ weight }) => weight === "content");
  });
}
