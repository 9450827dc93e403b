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

/** Open: the word may be denied or not without a change of meaning. */
export const SIGN = { said: 0, denied: 1, open: 2 } as const;

export type Signs = { readonly of: Uint8Array; readonly any: boolean };

export function toSigns(terms: readonly Term[], marks: readonly Marked[]): Signs {
  const signs = new Uint8Array(terms.length);
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  const places = new Set(marks.flatMap(({ mark, from }) => (mark === "place" || mark === "condition" ? [from] : [])));
  const deny = (from: number, to: number) => signs.fill(SIGN.denied, from, to);
  const open = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (signs[at] === SIGN.said) signs[at] = SIGN.open;
  };
  let any = false;
  for (const mark of marks) {
    if (mark.mark !== "negation" && mark.mark !== "denial" && mark.mark !== "exchange") continue;
    any = true;
    const { low, high } = clauseAround(terms, mark);
    const isLead = hasContent(terms, low, mark.from);
    if (mark.mark === "exchange") {
      // "Replace A with B" and "A is replaced by B" both deny A.
      let end = mark.to;
      while (end < high && !relations.has(end) && !places.has(end)) end++;
      if (hasContent(terms, mark.to, end)) {
        deny(mark.to, end);
        open(end, high);
      } else deny(low, mark.from);
    } else if (mark.mark === "denial") {
      deny(low, high);
      // "Rejected: …" refers to the next clause.
      if (isFilling(terms, mark.to, high) && !isLead) deny(high, endOfClause(terms, high));
    } else if (relations.has(mark.from)) {
      // "Without X in Y", "rather than X for Y": only X is certainly denied.
      const end = endOfRun(terms, mark.to, high);
      deny(mark.to, end);
      open(end, high);
    } else {
      open(low, mark.from);
      deny(mark.to, high);
      // "The cache is never used": nothing after it can be denied, so it denies what is before it.
      if (isLead && !hasContent(terms, mark.to, high)) deny(low, mark.from);
    }
  }
  return { of: signs, any };
}
