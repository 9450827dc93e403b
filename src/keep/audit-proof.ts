// What it takes to certify a fact whose words are there, but not as they were.

import { areSwapped } from "./audit-company.js";
import { type Indexed, marksAround } from "./audit-index.js";
import { isMoved, keepsNumbers } from "./audit-order.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { compareParts } from "./audit-parts.js";
import { sameCompany } from "./audit-roles.js";
import { listTerms, type Marked, type Term } from "./audit-text.js";
import { sameCounts, sameTimes } from "./audit-times.js";

/** Of the content words around, the share that must be the fact's. */
export const DENSITY = 0.6;
/** Share of all words, in their order, from which a place is the fact's own sentence however much is exchanged. */
export const LIKE = 0.6;
/** Facts of so few content words are spoken of only where all of them are. */
export const FEW_WORDS = 3;
/** From here on, a word that is not the fact's has taken the place of one that is. */
export const SAME_SENTENCE = 0.75;
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

/** Content words of its own that a place may have: one for each so many of the fact's. */
const WORDS_FOR_ONE = 5;

/** Why words that are all there may still not say the same. */
export function unproven(fact: Profile, summary: Indexed, match: Overlap, alike: number, like: boolean): string | undefined {
  if (match.fewer && match.missing.length === 0) return "a word of it is there less often";
  if (match.density < DENSITY) return "its words stand among others";
  const foreign = foreignWords(fact, summary, match);
  // "Ruled out" says more than that something is not used.
  const denied = marksAround(summary, match.from, match.to).some(({ mark }) => mark === "denial");
  if (match.missingLight && !denied && fact.content.size < WORDS_FOR_ONE) return "too few words to tell";
  if (foreign.length > Math.floor(fact.content.size / WORDS_FOR_ONE) + (denied ? 1 : 0)) return `with ${listTerms(foreign)}`;
  // A word such as "version" may be left out, but not where another word may stand in its place.
  if (foreign.length > 0 && (alike >= SAME_SENTENCE || match.missingVague)) return `with ${listTerms(foreign)}`;
  if (!sameTimes(fact, summary, match)) return "at another time";
  if (!sameCounts(fact, summary, match)) return "of another number";
  if (match.order >= 1) return undefined;
  const { crossed, parted, single } = compareParts(fact, summary, match);
  if (crossed || areSwapped(fact, summary, match)) return "its parts have changed places";
  if (parted && (single || keepsNumbers(fact, summary, match.hits))) return undefined;
  const moved = isMoved(fact, summary, match, like) && sameParts(fact, summary, match) && sameCompany(fact, summary, match);
  return moved ? undefined : "its words have changed places";
}

/** Content words that are not the fact's, in the clauses that a match reaches into. */
export function foreignWords(
  { content, light, others }: Profile,
  { terms }: Indexed,
  { from, to, hits }: Overlap,
): readonly Term[] {
  const clauses = new Set(hits.map(({ at }) => terms[at]?.clause));
  const own = new Set(hits.map(({ at }) => at));
  let [low, high] = [from, to];
  while (low > 0 && clauses.has(terms[low - 1]?.clause)) low--;
  while (high < terms.length && clauses.has(terms[high]?.clause)) high++;
  return terms
    .slice(low, high)
    .filter(
      ({ weight, vague, quoted, clause, key }, index) =>
        weight === "content" &&
        !vague &&
        clauses.has(clause) &&
        !own.has(low + index) &&
        !content.has(key) &&
        !light.has(key) &&
        !(quoted && others.has(key)),
    );
}

const BINDING: ReadonlySet<string> = new Set(["relation", "negation"]);

/** Where both say "from", both say it of the same. */
export function sameParts(
  fact: Profile,
  summary: Indexed,
  { from, to }: Overlap,
  binding: ReadonlySet<string> = BINDING,
): boolean {
  const bound = (marks: readonly Marked[], terms: readonly Term[]) => {
    const found = new Map<string, Set<string>>();
    for (const { mark, key, from: at, to: next } of marks) {
      if (!binding.has(mark)) continue;
      const words = found.get(key) ?? new Set();
      found.set(key, words);
      let index = next;
      while (terms[index]?.weight === "filler" && terms[index]?.clause === terms[at]?.clause) index++;
      for (; terms[index]?.weight === "content" && terms[index]?.clause === terms[at]?.clause; index++) {
        const word = terms[index]?.key as string;
        if (fact.content.has(word)) words.add(word);
      }
    }
    return found;
  };
  const there = bound(marksAround(summary, from, to), summary.terms);
  const own = bound(fact.prepared.marks, fact.prepared.terms);
  return [...there].every(([key, words]) => {
    const meant = own.get(key);
    return meant === undefined || meant.size === 0 || [...words].every((word) => meant.has(word));
  });
}

/** In what is nearly the same sentence, a preposition that both have once stands before the same word. */
export function samePlaces({ prepared, content }: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  const bound = (marks: readonly Marked[], terms: readonly Term[]) => {
    const found = new Map<string, string | undefined>();
    for (const { mark, key, to: next } of marks) {
      if (mark !== "place") continue;
      let at = next;
      while (terms[at]?.weight === "filler" && terms[at]?.sentence === terms[next - 1]?.sentence) at++;
      found.set(key, found.has(key) ? undefined : terms[at]?.key);
    }
    return found;
  };
  const own = bound(prepared.marks, prepared.terms);
  for (const [word, key] of bound(marksAround(summary, from, to), summary.terms)) {
    const meant = own.get(word);
    if (key !== undefined && meant !== undefined && key !== meant && content.has(key) && content.has(meant)) return false;
  }
  return true;
}

/** "All" may be said as "every", but not left out. */
export function lostQuantity({ prepared }: Profile, summary: Indexed, { from, to }: Overlap): Marked | undefined {
  const own = prepared.marks.find((one) => one.mark === "quantity" && prepared.signs.denied[one.from] === 0);
  return own && !marksAround(summary, from, to).some(({ mark }) => mark === "quantity") ? own : undefined;
}

/** A condition in the clause of a match that names nothing of the fact. */
export function addedCondition({ content }: Profile, summary: Indexed, { from, to, hits }: Overlap): Marked | undefined {
  const { terms } = summary;
  const clauses = new Set(hits.map(({ at }) => terms[at]?.clause));
  return marksAround(summary, from, to).find(({ mark, from: at, to: next }) => {
    const { clause } = terms[at] as Term;
    if (mark !== "condition" || !clauses.has(clause)) return false;
    let [own, foreign] = [0, 0];
    for (let index = next; terms[index]?.clause === clause; index++) {
      const { weight, key } = terms[index] as Term;
      if (weight === "content") content.has(key) ? own++ : foreign++;
    }
    return own === 0 && foreign > 0;
  });
}
