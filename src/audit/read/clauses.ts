// Finds the limits of clauses and what kinds of words they have.
import type { Marked, Term } from "./terms.js";

export function clauseAround(terms: readonly Term[], { from, to }: Marked): { readonly low: number; readonly high: number } {
  const { clause } = terms[from] as Term;
  let [low, high] = [from, to];
  while (terms[low - 1]?.clause === clause) low--;
  while (terms[high]?.clause === clause) high++;
  return { low, high };
}

export function endOfClause(terms: readonly Term[], from: number): number {
  let end = from;
  while (end < terms.length && terms[end]?.clause === terms[from]?.clause) end++;
  return end;
}

/** Most content words in a clause that only names a place: "In production, …". */
const LEAD_WORDS = 3;

/** The start of the previous clause if it opens the sentence and only names a place; else `low`. */
export function startOfLead(terms: readonly Term[], low: number, places: ReadonlySet<number>): number {
  const start = startOfClause(terms, low);
  const opens = start < low && places.has(start) && terms[start - 1]?.sentence !== terms[start]?.sentence;
  if (!opens || low - start > 2 * LEAD_WORDS) return low;
  return terms.slice(start, low).filter(({ weight }) => weight === "content").length <= LEAD_WORDS ? start : low;
}

/** The start of the previous clause in the same sentence. */
export function startOfClause(terms: readonly Term[], low: number): number {
  const before = terms[low - 1];
  if (!before || before.sentence !== terms[low]?.sentence) return low;
  let start = low - 1;
  while (terms[start - 1]?.clause === before.clause) start--;
  return start;
}

/** The position after the next run of content words. */
export function endOfRun(terms: readonly Term[], from: number, to: number): number {
  let at = from;
  while (at < to && terms[at]?.weight !== "content") at++;
  while (at < to && terms[at]?.weight === "content") at++;
  return at;
}

export function hasContent(terms: readonly Term[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (terms[at]?.weight === "content") return true;
  return false;
}

export function isFilling(terms: readonly Term[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (terms[at]?.weight !== "filler") return false;
  return true;
}
