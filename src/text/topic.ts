// Finds what a text is about: its words except plain ones, and its names as a whole.

import { isSimple, isWordly, runsOf } from "./characters.js";
import { rememberFor, rememberWithin } from "./remember.js";
import { fold } from "./words.js";

/** Does a word mean nothing by itself? */
export type IsPlain = (word: string) => boolean;

/** The words that mean nothing by themselves, as the packs list them. */
type PlainLists = { readonly fillers: readonly string[]; readonly light: readonly string[] };

export const plainWords = rememberFor(({ fillers, light }: PlainLists): IsPlain => {
  const words = new Set([...fillers, ...light].map(fold));
  return (word) => words.has(word);
});

/** Characters of tool texts whose terms are cached: those of twice the calls that one sentence examines. */
const TERM_CHARACTERS = 1_000_000;

export type Topic = { readonly terms: readonly string[]; readonly names: readonly string[] };

export function topicOf(text: string, isPlain: IsPlain): Topic {
  const names = namesIn(text);
  const terms = new Set(names);
  for (const word of wordsIn(text).match(WHOLE) ?? []) if (!isPlain(word)) terms.add(word.slice(0, STEM_LETTERS));
  return { terms: [...terms], names };
}

/** The names of a text and all its words, plain or not. */
export function termsIn(text: string, names = namesIn(text)): ReadonlySet<string> {
  const terms = new Set(names);
  for (const word of wordsIn(text).match(STEM) ?? NO_NAMES) terms.add(word);
  return terms;
}

/** Cached, because many sentences and the next compaction ask for the same tool texts. */
export const rememberedTerms = rememberWithin(TERM_CHARACTERS, (text) => termsIn(text));

/** Letters by which different forms of a word are recognised. */
const STEM_LETTERS = 6;
const STEM = /(?<![^ ])[^ ]{1,6}/g;
const WHOLE = /[^ ]+/g;

// Long texts of tools are read too: regular expressions do the work, and those with Unicode classes, which are slow, only where
// a text needs them.

/** Words joined by marks without a blank, and words with digits or capitals inside: paths, versions, identifiers. */
export function namesIn(text: string): readonly string[] {
  if (!isSimple(text))
    return runsOf(text, isWordly, "./:'’-")
      .filter((run) => /[\p{N}_./:]|\p{Ll}\p{Lu}/u.test(run))
      .map(fold);
  const found = text.replaceAll("’", "'").match(SIMPLE_NAME);
  return found ? found.join(" ").toLowerCase().split(" ") : NO_NAMES;
}

/** At the start of a run, looks ahead for what makes it a name. */
const SIMPLE_NAME = /(?<!\w|\w[./:'-])(?=(?:[A-Za-z]+['-](?=\w))*[A-Za-z]*(?:[0-9_]|[./:]\w|(?<=[a-z])[A-Z]))\w+(?:[./:'-]\w+)*/g;
const NO_NAMES: readonly string[] = [];

/** Numbers and words of at least three letters, with blanks between them. "readFile" is two words. */
function wordsIn(text: string): string {
  if (isSimple(text)) return (text.match(SIMPLE_WORD) ?? []).join(" ").toLowerCase();
  const words = text.match(/\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{Lo}|\p{N}+/gu) ?? [];
  return words
    .filter((word) => word.length >= LEAST_LETTERS || /\p{Lo}|\p{N}/u.test(word))
    .map(fold)
    .join(" ");
}

const LEAST_LETTERS = 3;
const SIMPLE_WORD = /[A-Z][a-z]{2,}|(?<![A-Za-z])[a-z]{3,}|(?<![A-Z])[A-Z]{3,}(?![a-z])|[0-9]+/g;
