// Finds what a text is about: its words except plain ones, and its names as a whole.

import type { RuleSet } from "../../rules/rule-set.js";
import { isWordly, runsOf } from "../../text/characters.js";
import { remember, rememberFor } from "../../text/remember.js";
import { fold, isAscii } from "../../text/words.js";

/** Does a word mean nothing by itself? */
export type IsPlain = (word: string) => boolean;

/** The words that mean nothing by themselves, as the packs list them. */
export const plainWords = rememberFor((rules: RuleSet): IsPlain => {
  const words = new Set([...rules.fillers, ...rules.light].map(fold));
  return (word) => words.has(word);
});

const ASCII_RUN = /[A-Za-z0-9_]+(?:[./:'-][A-Za-z0-9_]+)*/g;
const NAME = /[\p{N}_./:]|\p{Ll}\p{Lu}/u;
/** A text without any of these has no name; a text with one may have. */
const NAMELIKE = /[\p{N}_/]|[.:]\S|\p{Ll}\p{Lu}/u;
export const mayHoldName = (text: string): boolean => NAMELIKE.test(text);
const LEAST_LETTERS = 3;
/** Letters by which different forms of a word are recognised. */
const STEM_LETTERS = 6;

export interface Topic {
  readonly terms: readonly string[];
  readonly names: ReadonlySet<string>;
}

const topicsFor = rememberFor((isPlain: IsPlain) =>
  remember((text): Topic => {
    const terms = termsOf(text, isPlain);
    return { terms: [...terms.keys()], names: new Set([...terms].flatMap(([term, isName]) => (isName ? [term] : []))) };
  }),
);

export const topicOf = (text: string, isPlain: IsPlain): Topic => topicsFor(isPlain)(text);

/** Words, and words joined by marks without a blank: paths, versions, identifiers. */
export const runsIn = (text: string): readonly string[] =>
  isAscii(text) ? (text.match(ASCII_RUN) ?? []) : runsOf(text, isWordly, "./:'’-");

/** Each term, and whether it is a name. Parts of a name are terms too. */
export function termsOf(text: string, isPlain: IsPlain): ReadonlyMap<string, boolean> {
  const terms = new Map<string, boolean>();
  for (const run of runsIn(text)) {
    const { name, parts } = partsOf(run);
    if (name !== undefined) terms.set(name, true);
    for (const { word, stem } of parts) if (!isPlain(word) && !terms.has(stem)) terms.set(stem, false);
  }
  return terms;
}

const PIECE = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{Lo}|\p{N}+/gu;
const ASCII_PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;

/** Cached, because words and names repeat. */
export const partsOf = remember((run: string) => {
  const pieces = run.match(isAscii(run) ? ASCII_PIECE : PIECE) ?? [];
  const parts = pieces
    .filter((piece) => piece.length >= LEAST_LETTERS || /\p{Lo}|\p{N}/u.test(piece))
    .map(fold)
    .map((word) => ({ word, stem: word.slice(0, STEM_LETTERS) }));
  return { parts, ...(NAME.test(run) && { name: fold(run) }) };
});
