// Which conditions a text may meet, told by its words. Each word is looked up once, so many conditions cost little more
// than few: only where of every set of words that a phrase needs one occurs, the phrase is worth a try.
import type { Phrase } from "../rules/phrase.js";
import type { Condition } from "../rules/rule-set.js";

interface Need {
  readonly entry: Entry;
  /** Which of the sets of words that the phrase needs. */
  readonly set: number;
}

interface Entry {
  readonly condition: number;
  readonly phrase: Phrase;
  /** The sets of words that it needs, as bits. */
  readonly needed: number;
  /** The text that was looked at last, and the sets of which it holds a word. */
  text: number;
  met: number;
}

/** @param found the place of the condition and its phrase */
type Look = (words: readonly string[], found: (condition: number, phrase: Phrase) => void) => void;

/** More sets are rare, and need not be looked at: the phrase itself is tried then. */
const SETS = 30;

/** @param conditions those whose phrases all need a word */
export function createVocabulary(conditions: readonly Condition[]): Look {
  const needs = new Map<string, Need[]>();
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of match) {
      const sets = phrase.required.slice(0, SETS);
      const entry: Entry = { condition, phrase, needed: (1 << sets.length) - 1, text: 0, met: 0 };
      for (const [set, words] of sets.entries())
        for (const word of words) {
          const list = needs.get(word);
          if (list) list.push({ entry, set });
          else needs.set(word, [{ entry, set }]);
        }
    }
  let text = 0;
  return (words, found) => {
    text++;
    for (const word of words) {
      const list = needs.get(word);
      if (!list) continue;
      for (const { entry, set } of list) {
        if (entry.text !== text) {
          entry.text = text;
          entry.met = 0;
        }
        const met = entry.met | (1 << set);
        if (met === entry.met) continue;
        entry.met = met;
        if (met === entry.needed) found(entry.condition, entry.phrase);
      }
    }
  };
}
