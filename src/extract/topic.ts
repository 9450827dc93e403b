// What a text is about: its words without the plain ones, and its names as a whole.

import { isWordly, runsOf } from "../rules/characters.js";
import { remember } from "../rules/remember.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fold, isAscii } from "../rules/words.js";

/** Does a word say nothing by itself? */
export type IsPlain = (word: string) => boolean;

const known = new WeakMap<RuleSet, IsPlain>();

/** The packs' lists for the audit name the words that carry nothing. */
export function plainWords(rules: RuleSet): IsPlain {
  const before = known.get(rules);
  if (before) return before;
  const words = new Set([...(rules.audit.get("filler") ?? []), ...(rules.audit.get("light") ?? [])].map(fold));
  const isPlain = (word: string) => words.has(word);
  known.set(rules, isPlain);
  return isPlain;
}

const ASCII_RUN = /[A-Za-z0-9_]+(?:[./:'-][A-Za-z0-9_]+)*/g;
const NAME = /[\p{N}_./:]|\p{Ll}\p{Lu}/u;
/** Without one of these there is no name in a text; with one there may be. */
const NAMELIKE = /[\p{N}_/]|[.:]\S|\p{Ll}\p{Lu}/u;
export const mayHoldName = (text: string): boolean => NAMELIKE.test(text);
const LEAST_LETTERS = 3;
/** Letters by which a word is known again in another form. */
const STEM_LETTERS = 6;

export interface Topic {
  readonly terms: readonly string[];
  readonly names: ReadonlySet<string>;
}

const topics = new WeakMap<IsPlain, (text: string) => Topic>();

export function topicOf(text: string, isPlain: IsPlain): Topic {
  let known = topics.get(isPlain);
  if (!known) {
    known = remember((said) => {
      const terms = termsOf(said, isPlain);
      return { terms: [...terms.keys()], names: new Set([...terms].flatMap(([term, isName]) => (isName ? [term] : []))) };
    });
    topics.set(isPlain, known);
  }
  return known(text);
}

/** Words and runs of words and marks without a blank: paths, versions, identifiers. */
export const runsIn = (text: string): readonly string[] =>
  isAscii(text) ? (text.match(ASCII_RUN) ?? []) : runsOf(text, isWordly, "./:'’-");

/** Each term, and whether it is a name; parts of a name are terms too. */
export function termsOf(text: string, isPlain: IsPlain): ReadonlyMap<string, boolean> {
  const terms = new Map<string, boolean>();
  const add = (word: string) => {
    if (isPlain(word) || ([...word].length < LEAST_LETTERS && !/\p{Lo}/u.test(word))) return;
    const stem = word.slice(0, STEM_LETTERS);
    if (!terms.has(stem)) terms.set(stem, false);
  };
  for (const run of runsIn(text)) {
    const folded = fold(run);
    if (NAME.test(run)) terms.set(folded, true);
    for (const part of folded.split(/[./:-]/)) add(part);
  }
  return terms;
}
