// Where clauses begin and end, and what stands in them.
import type { Marked, Term } from "./audit-text.js";

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

/** Content words of a clause that only says where: "In production, …". */
const LEAD_WORDS = 3;

/** The clause before, where it begins the sentence with a place and says no more; else the clause itself. */
export function startOfLead(terms: readonly Term[], low: number, places: ReadonlySet<number>): number {
  const start = startOfClause(terms, low);
  const opens = start < low && places.has(start) && terms[start - 1]?.sentence !== terms[start]?.sentence;
  if (!opens || low - start > 2 * LEAD_WORDS) return low;
  return terms.slice(start, low).filter(({ weight }) => weight === "content").length <= LEAD_WORDS ? start : low;
}

/** The beginning of the clause before, in the same sentence. */
export function startOfClause(terms: readonly Term[], low: number): number {
  const before = terms[low - 1];
  if (!before || before.sentence !== terms[low]?.sentence) return low;
  let start = low - 1;
  while (terms[start - 1]?.clause === before.clause) start--;
  return start;
}

/** "Not A in B": where a thing is denied may be said elsewhere of another. */
export function endOfFirst(terms: readonly Term[], from: number, to: number, places: ReadonlySet<number>): number {
  let [at, content] = [from, false];
  for (; at < to && !(content && places.has(at)); at++) content ||= terms[at]?.weight === "content";
  return at;
}

/** Behind the next content words of a clause. */
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

/** Content words of a clause that cannot stand by itself. */
const SHORT_WORDS = 1;

export function isShort(terms: readonly Term[], from: number): boolean {
  const first = terms[from];
  if (!first || first.sentence !== terms[from - 1]?.sentence) return false;
  let content = 0;
  for (let at = from; terms[at]?.clause === first.clause; at++) if ((terms[at] as Term).weight === "content") content++;
  return content <= SHORT_WORDS;
}
