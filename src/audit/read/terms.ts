// What a text is read into: weighted words, sentences and marks, and which words are denied.
import type { FoundMark } from "./lexicon.js";
import type { ComparedWord, SummaryBlock } from "./split.js";

type Weight = "content" | "light" | "filler";

export interface Term extends ComparedWord {
  readonly key: string;
  readonly weight: Weight;
  /** It only names a category, which the words next to it already imply. */
  readonly vague: boolean;
  /** Written as code on its own, so it is not a word of the language. */
  readonly quoted: boolean;
  /** Capitalised inside a sentence, like "Go" and "May". */
  readonly proper: boolean;
  readonly sentence: number;
  /** Numbered through the whole text. No clause crosses a sentence. */
  readonly clause: number;
}

export type Weighable = { -readonly [Name in keyof Term]: Term[Name] };

export type Marked = { readonly mark: FoundMark; readonly key: string; readonly from: number; readonly to: number };

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
  readonly signs: Signs;
}

export const listTerms = (terms: readonly Term[]) => terms.map(({ folded }) => folded).join(", ");

// The limits of clauses, and what kinds of words they have.

export function clauseAround(terms: readonly Term[], { from, to }: Marked): { readonly low: number; readonly high: number } {
  const { clause } = terms[from] as Term;
  let [low, high] = [from, to];
  while (terms[low - 1]?.clause === clause) low--;
  while (terms[high]?.clause === clause) high++;
  return { low, high };
}

function endOfClause(terms: readonly Term[], from: number): number {
  let end = from;
  while (end < terms.length && terms[end]?.clause === terms[from]?.clause) end++;
  return end;
}

/** The position after the next run of content words. */
function endOfRun(terms: readonly Term[], from: number, to: number): number {
  let at = from;
  while (at < to && terms[at]?.weight !== "content") at++;
  while (at < to && terms[at]?.weight === "content") at++;
  return at;
}

export function hasContent(terms: readonly Term[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (terms[at]?.weight === "content") return true;
  return false;
}

function isFilling(terms: readonly Term[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (terms[at]?.weight !== "filler") return false;
  return true;
}

// Which words are denied: a negation denies the rest of its clause, a denial its whole clause.

export const SIGN = { said: 0, denied: 1 } as const;

export type Signs = { readonly of: Uint8Array; readonly any: boolean };

export function toSigns(terms: readonly Term[], marks: readonly Marked[]): Signs {
  const signs = new Uint8Array(terms.length);
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  const deny = (from: number, to: number) => signs.fill(SIGN.denied, from, to);
  let any = false;
  for (const mark of marks) {
    if (mark.mark !== "negation" && mark.mark !== "denial" && mark.mark !== "exchange") continue;
    any = true;
    const { low, high } = clauseAround(terms, mark);
    const isLead = hasContent(terms, low, mark.from);
    if (mark.mark === "denial") {
      deny(low, high);
      // "Rejected: …" refers to the next clause.
      if (isFilling(terms, mark.to, high) && !isLead) deny(high, endOfClause(terms, high));
    } else {
      // "Without X in Y", "rather than X for Y": only X is certainly denied.
      deny(mark.to, relations.has(mark.from) ? endOfRun(terms, mark.to, high) : high);
      // "The cache is never used": nothing after it can be denied, so it denies what is before it.
      if (isLead && !hasContent(terms, mark.to, high)) deny(low, mark.from);
    }
  }
  return { of: signs, any };
}
