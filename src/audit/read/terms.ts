// What a text is read into: weighted words, sentences and marks.
import type { SummaryBlock } from "./blocks.js";
import type { FoundMark } from "./lexicon.js";
import type { ComparedWord } from "./split.js";

type Weight = "content" | "light" | "filler";

export interface Term extends ComparedWord {
  readonly key: string;
  readonly weight: Weight;
  /** It only names a category, which the words next to it already imply. */
  readonly vague: boolean;
  /** A plain word that is written like a name. */
  readonly named: boolean;
  /** Written as code on its own, so it is not a word of the language. */
  readonly quoted: boolean;
  /** Capitalised inside a sentence, like "Go" and "May". */
  readonly proper: boolean;
  readonly sentence: number;
  /** Numbered through the whole text. No clause crosses a sentence. */
  readonly clause: number;
}

/** A term that can still be changed. */
export type Weighable = { -readonly [Name in keyof Term]: Term[Name] };

export interface Marked {
  readonly mark: FoundMark;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly question: boolean;
  readonly block: SummaryBlock;
}

export interface ReadText {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly sentences: readonly Sentence[];
  /** In text order. */
  readonly marks: readonly Marked[];
}

export const listTerms = (terms: readonly Term[]) => terms.map(({ folded }) => folded).join(", ");

/** "Except" and "except for" are the same. */
export const isSameMark = (one: Marked, other: Marked) =>
  one.mark === other.mark && (`${one.key} `.startsWith(`${other.key} `) || `${other.key} `.startsWith(`${one.key} `));

// The limits of clauses, and what kinds of words they have.

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
