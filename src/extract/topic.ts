// What a text is about: its words without the plain ones, and its names as a whole.

import { remember } from "../rules/remember.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fold } from "../rules/words.js";

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

/** Words and runs of words and marks without a blank: paths, versions, identifiers. */
const RUN = /[\p{L}\p{M}\p{N}_]+(?:[./:'’-][\p{L}\p{M}\p{N}_]+)*/gu;
const NAME = /[\p{N}_./:]|\p{Ll}\p{Lu}/u;
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

/** Each term, and whether it is a name; parts of a name are terms too. */
export function termsOf(text: string, isPlain: IsPlain): ReadonlyMap<string, boolean> {
  const terms = new Map<string, boolean>();
  const add = (word: string) => {
    if (isPlain(word) || ([...word].length < LEAST_LETTERS && !/\p{Lo}/u.test(word))) return;
    const stem = word.slice(0, STEM_LETTERS);
    if (!terms.has(stem)) terms.set(stem, false);
  };
  for (const [run] of text.matchAll(RUN)) {
    const folded = fold(run);
    if (NAME.test(run)) terms.set(folded, true);
    for (const part of folded.split(/[./:-]/)) add(part);
  }
  return terms;
}
