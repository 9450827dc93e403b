// The terms of a text, which show that another text is about the same thing.
import { rememberWithin } from "../../text/remember.js";
import { termsOf } from "../supersede/topic.js";

/** Characters of tool texts whose terms are cached: those of twice the calls that one sentence examines. */
const TERM_CHARACTERS = 1_000_000;

/** A name counts more than a word. */
const NAME_WORTH = 2;
const worthOf = (term: string) => (/[\p{N}_./:-]/u.test(term) ? NAME_WORTH : 1);

export interface WeighedTerm {
  readonly term: string;
  readonly worth: number;
}

/** The terms that are not plain words, and how much each counts. */
export const weighedTerms = (text: string, isPlain: (term: string) => boolean): readonly WeighedTerm[] =>
  [...rememberedTerms(text)].flatMap((term) => (isPlain(term) ? [] : [{ term, worth: worthOf(term) }]));

/** What the terms count that another text has too. */
export function worthIn(terms: readonly WeighedTerm[], held: ReadonlySet<string>): number {
  let sum = 0;
  for (const { term, worth } of terms) if (held.has(term)) sum += worth;
  return sum;
}

export const worthOfAll = (terms: readonly WeighedTerm[]): number => terms.reduce((sum, { worth }) => sum + worth, 0);

/** Cached, because many sentences and the next compaction ask for the same tool texts. */
export const rememberedTerms = rememberWithin(
  TERM_CHARACTERS,
  (text): ReadonlySet<string> => new Set(termsOf(text, () => false).keys()),
);
