// The terms of a text by which another text is known to be about the same thing.
import { TERM_CHARACTERS } from "../limits.js";
import { isCombining, isWordly, runsOf } from "../rules/characters.js";
import { remember } from "../rules/remember.js";
import { isAscii } from "../rules/words.js";

/** Letters by which a word is known again in another form. */
const STEM_LETTERS = 6;
const LEAST_LETTERS = 3;
const PIECE = /[\p{Lu}]?[\p{Ll}\p{M}]+|[\p{Lu}]+(?![\p{Ll}])|[\p{Lo}]|\p{N}+/gu;
// Most texts of tools are plain, and plain classes are several times as fast.
const ASCII_NAME = /[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*/g;
const ASCII_PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;
/** Without what combines. */
const isPart = (sort: number) => isWordly(sort) && !isCombining(sort);

/** Words by their first letters; names whole and in their parts. */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const name of isAscii(text) ? (text.match(ASCII_NAME) ?? []) : runsOf(text, isPart, "-."))
    for (const term of termsOfName(name)) terms.add(term);
  return terms;
}

/** The same names occur again and again. */
const termsOfName = remember((name: string): readonly string[] => {
  const pieces = name.match(isAscii(name) ? ASCII_PIECE : PIECE) ?? [];
  const parts = pieces
    .filter((piece) => piece.length >= LEAST_LETTERS || /\p{Lo}|\p{N}/u.test(piece))
    .map((piece) => piece.toLowerCase().slice(0, STEM_LETTERS));
  return pieces.length > 1 ? [name.toLowerCase(), ...parts] : parts;
});

/** A name says more than a word. */
const NAME_WORTH = 2;
const worthOf = (term: string) => (/[\p{N}_.-]/u.test(term) ? NAME_WORTH : 1);

export interface Term {
  readonly term: string;
  readonly worth: number;
}

/** The terms that carry something, and how much. */
export const weighedTerms = (text: string, isPlain: (term: string) => boolean): readonly Term[] =>
  [...rememberedTerms(text)].flatMap((term) => (isPlain(term) ? [] : [{ term, worth: worthOf(term) }]));

/** What the terms are worth that another text has as well. */
export function worthIn(terms: readonly Term[], held: ReadonlySet<string>): number {
  let sum = 0;
  for (const { term, worth } of terms) if (held.has(term)) sum += worth;
  return sum;
}

export const worthOfAll = (terms: readonly Term[]): number => terms.reduce((sum, { worth }) => sum + worth, 0);

const remembered = new Map<string, ReadonlySet<string>>();
let characters = 0;

/** What tools write and print is asked for by many sentences, and again at the next compaction. */
export function rememberedTerms(text: string): ReadonlySet<string> {
  const before = remembered.get(text);
  if (before) return before;
  const terms = termsOf(text);
  remembered.set(text, terms);
  characters += text.length;
  // The oldest go first.
  for (const [old] of remembered) {
    if (characters <= TERM_CHARACTERS) break;
    remembered.delete(old);
    characters -= old.length;
  }
  return terms;
}
