// Which conditions a text may meet, told by its words. Each word is looked up once, so many conditions cost little more
// than few. Phrases of words alone are followed word by word, all at once; another phrase is worth a try only where of
// every set of words that it needs one occurs.
import type { Phrase } from "../rules/phrase.js";
import { type Beginning, createSteps, isPlain } from "../rules/phrase-steps.js";
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
  /** How often it was worth a try. */
  tries: number;
}

interface Known {
  needs: readonly Need[];
  inside?: Beginning | undefined;
  atStart?: Beginning | undefined;
}

/** @param found the place of the condition and its phrase, and whether that is met or only worth a try */
type Look = (words: readonly string[], found: (condition: number, phrase: Phrase, met: boolean) => void) => void;

/** More sets are rare, and need not be looked at: the phrase itself is tried then. */
const SETS = 30;

/** Tries of a phrase that cost more than to look at it closely. Short sessions have fewer. */
const WORTH_FOLLOWING = 50;
/** Those that will soon be worth it are followed together with the first: each time, the steps are made anew. */
const SOON_WORTH = 12;

/** @param conditions those whose phrases all need a word */
export function createVocabulary(conditions: readonly Condition[]): Look {
  const known = new Map<string, Known>();
  const knownAs = (word: string): Known => {
    const own = known.get(word) ?? { needs: [] };
    known.set(word, own);
    return own;
  };
  /** Those that were not looked at closely yet. */
  const untaken = new Set<Entry>();
  const setsOf = ({ required }: Phrase) => required.slice(0, SETS);
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of match) {
      const sets = setsOf(phrase);
      const entry: Entry = { condition, phrase, needed: (1 << sets.length) - 1, text: 0, met: 0, tries: 0 };
      untaken.add(entry);
      for (const [set, words] of sets.entries()) for (const word of words) (knownAs(word).needs as Need[]).push({ entry, set });
    }

  const steps = createSteps();
  const plain: Entry[] = [];
  /** The text in which each plain phrase was met last. */
  const metIn: number[] = [];

  /** From now on it is followed word by word, if it can be. */
  function follow(entry: Entry): void {
    untaken.delete(entry);
    if (!isPlain(entry.phrase)) return;
    for (const word of setsOf(entry.phrase).flat()) {
      const own = knownAs(word);
      own.needs = own.needs.filter((need) => need.entry !== entry);
    }
    plain.push(entry);
    metIn.push(0);
    for (const word of steps.add(entry.phrase)) {
      const own = knownAs(word);
      own.inside = steps.inside.get(word);
      own.atStart = steps.atStart.get(word);
    }
  }

  let text = 0;
  return (words, found) => {
    text++;
    const { length } = words;
    let isDue = false;
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
        if (met !== entry.needed) continue;
        found(entry.condition, entry.phrase, false);
        if (++entry.tries === WORTH_FOLLOWING) isDue = true;
      }
      let step = (at === 0 ? word.atStart : word.inside)?.step();
      for (let next = at + 1; step; next++) {
        for (const number of step.met) {
          if (metIn[number] === text) continue;
          metIn[number] = text;
          const { condition, phrase } = plain[number] as Entry;
          found(condition, phrase, true);
        }
        step = next < length ? step.next(words[next] as string) : undefined;
      }
    }
    if (isDue) for (const entry of [...untaken]) if (entry.tries >= SOON_WORTH) follow(entry);
  };
}
