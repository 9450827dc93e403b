// What it takes to certify a fact whose words are there, but not as they were.
import { type Indexed, marksAround } from "./audit-index.js";
import { isMoved } from "./audit-order.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

/** Of the content words around, the share that must be the fact's. */
export const DENSITY = 0.6;
/** Fewer content words than this prove nothing without the light ones. */
export const FEW_WORDS = 3;
/** From here on, a word that is not the fact's has taken the place of one that is. */
const SAME_SENTENCE = 0.75;
/** Names and numbers that must be there for one plain word to be said otherwise. */
const RETOLD_NAMES = 2;
const RETOLD_WORDS = 5;
const RETOLD_ORDER = 0.8;

/** A sentence of its own that has every name and number, and all words but one: nothing stands in that word's place. */
export function isRetold({ content }: Profile, { missing, order, density }: Overlap): boolean {
  const names = [...content.values()].filter(({ term }) => term.sort !== "word").length;
  const enough = names >= RETOLD_NAMES && content.size >= RETOLD_WORDS && missing.length === 1;
  return enough && order < RETOLD_ORDER && density >= DENSITY;
}

/** Why words that are all there may still not say the same. */
export function unproven(fact: Profile, summary: Indexed, match: Overlap, alike: number): string | undefined {
  if (match.fewer && match.missing.length === 0) return "a word of it is there less often";
  if (fact.content.size < FEW_WORDS && match.missingLight) return "too few words to tell";
  if (match.density < DENSITY) return "its words stand among others";
  if (alike >= SAME_SENTENCE && match.missingLight && match.density < 1) return "another word stands in the place of one";
  if (match.order >= 1) return undefined;
  if (fact.content.size < FEW_WORDS) return "its few words stand in another order";
  if (!isMoved(fact, summary, match)) return "its words have changed places";
  return sameParts(fact, summary, match) ? undefined : "its words have changed places";
}

/** Where both say "from", both say it of the same. */
function sameParts(fact: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  const bound = (marks: readonly Marked[], terms: readonly Term[]) => {
    const found = new Map<string, Set<string>>();
    for (const { mark, key, to: next } of marks) {
      if (mark !== "relation" && mark !== "negation") continue;
      let index = next;
      while (terms[index]?.weight === "filler") index++;
      const word = terms[index]?.key;
      if (word === undefined || !fact.content.has(word)) continue;
      found.set(key, (found.get(key) ?? new Set()).add(word));
    }
    return found;
  };
  const there = bound(marksAround(summary, from, to), summary.terms);
  const own = bound(fact.prepared.marks, fact.prepared.terms);
  return [...there].every(([key, words]) => {
    const meant = own.get(key);
    return meant === undefined || [...words].every((word) => meant.has(word));
  });
}
