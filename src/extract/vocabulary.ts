// Which conditions a text may meet, told by its words. Each word is looked up once, so many conditions cost little more
// than few. Phrases of words alone are followed word by word, all at once; another phrase is worth a try only where of
// every set of words that it needs one occurs.
import type { Phrase } from "../rules/phrase.js";
import { isPlain, type Step, toBeginnings } from "../rules/phrase-steps.js";
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

interface Known {
  needs: Need[];
  inside?: (() => Step) | undefined;
  atStart?: (() => Step) | undefined;
}

/** @param found the place of the condition and its phrase, and whether that is met or only worth a try */
type Look = (words: readonly string[], found: (condition: number, phrase: Phrase, met: boolean) => void) => void;

/** More sets are rare, and need not be looked at: the phrase itself is tried then. */
const SETS = 30;

/** @param conditions those whose phrases all need a word */
export function createVocabulary(conditions: readonly Condition[]): Look {
  const known = new Map<string, Known>();
  const knownAs = (word: string): Known => {
    const own = known.get(word) ?? { needs: [] };
    known.set(word, own);
    return own;
  };
  const plain: Phrase[] = [];
  /** The condition of each plain phrase. */
  const owners: number[] = [];
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of match) {
      if (isPlain(phrase)) {
        plain.push(phrase);
        owners.push(condition);
        continue;
      }
      const sets = phrase.required.slice(0, SETS);
      const entry: Entry = { condition, phrase, needed: (1 << sets.length) - 1, text: 0, met: 0 };
      for (const [set, words] of sets.entries()) for (const word of words) knownAs(word).needs.push({ entry, set });
    }
  const { inside, atStart } = toBeginnings(plain);
  for (const [word, step] of inside) knownAs(word).inside = step;
  for (const [word, step] of atStart) knownAs(word).atStart = step;

  /** The text in which each plain phrase was met last. */
  const metIn = new Uint32Array(plain.length);
  let text = 0;
  return (words, found) => {
    text++;
    const { length } = words;
    for (let at = 0; at < length; at++) {
      const word = known.get(words[at] as string);
      if (!word) continue;
      for (const { entry, set } of word.needs) {
        if (entry.text !== text) {
          entry.text = text;
          entry.met = 0;
        }
        const met = entry.met | (1 << set);
        if (met === entry.met) continue;
        entry.met = met;
        if (met === entry.needed) found(entry.condition, entry.phrase, false);
      }
      let step = (at === 0 ? word.atStart : word.inside)?.();
      for (let next = at + 1; step; next++) {
        for (const phrase of step.met) {
          if (metIn[phrase] === text) continue;
          metIn[phrase] = text;
          found(owners[phrase] as number, plain[phrase] as Phrase, true);
        }
        step = next < length ? step.next(words[next] as string) : undefined;
      }
    }
  };
}
