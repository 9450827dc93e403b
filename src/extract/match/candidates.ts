// Selects the rules to try on a text: those that need no word, and those with a word or pattern that occurs in it.

import type { Condition } from "../../rules/condition.js";
import { mayMatch } from "../../rules/pattern/pattern.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import type { Rule } from "../../rules/rule-set.js";
import { isFor } from "./selector.js";
import type { Subject } from "./subject.js";

/** A rule, and those of its phrases that may match; without `phrases`, all may. */
export interface Candidate {
  readonly rule: Rule;
  readonly phrases?: readonly Phrase[];
}

/** The rules that may match, in their order. */
export function createCandidates(rules: readonly Rule[]): (subject: Subject) => readonly Candidate[] {
  const anchored = ({ match, regex }: Rule) => [...match, ...regex].every(({ anchors }) => anchors.length > 0);
  const isFree = (rule: Rule) => !anchored(rule) || (rule.match.length === 0 && rule.regex.length === 0);
  const free = rules.filter(isFree);
  const others = rules.filter((rule) => !isFree(rule));
  const byPattern = others.flatMap((rule, number) => (rule.regex.length > 0 ? [number] : []));
  const vocabulary = createVocabulary(others);
  /** Many rules need no word, but each applies to few kinds of text. */
  const freeFor = new Map<string, readonly Candidate[]>();
  function wordless({ source, segment }: Subject): readonly Candidate[] {
    const key = `${source.role} ${segment.node}`;
    const own = freeFor.get(key) ?? free.filter((rule) => isFor(rule.in, source, segment)).map((rule) => ({ rule }));
    freeFor.set(key, own);
    return own;
  }
  return (subject) => {
    const own = wordless(subject);
    let found: Map<number, Phrase[]> | undefined;
    vocabulary(subject.words.folded, (rule, phrase) => {
      found ??= new Map();
      const phrases = found.get(rule);
      if (phrases) phrases.push(phrase);
      else found.set(rule, [phrase]);
    });
    if (byPattern.length > 0) {
      const { text } = subject.segment;
      const lower = text.toLowerCase();
      for (const number of byPattern) {
        if (found?.has(number) || !others[number]?.regex.some((pattern) => mayMatch(pattern, text, lower))) continue;
        found ??= new Map();
        found.set(number, []);
      }
    }
    if (!found) return own;
    const candidates = [...own];
    for (const [number, phrases] of found) {
      const rule = others[number] as Rule;
      candidates.push({ rule, phrases: phrases.length > 1 ? rule.match.filter((phrase) => phrases.includes(phrase)) : phrases });
    }
    return candidates.sort((a, b) => a.rule.order - b.rule.order);
  };
}

// Finds the conditions that a text may meet, by its words. Each word is looked up once, so many conditions cost little more than
// few. A phrase may match only if the text has a word of each word set that the phrase requires.

interface Need {
  readonly entry: Entry;
  /** Which of the word sets that the phrase requires. */
  readonly set: number;
}

interface Entry {
  readonly condition: number;
  readonly phrase: Phrase;
  /** The required word sets, as bits. */
  readonly needed: number;
  /** The last text that was examined, and the word sets of which it has a word. */
  text: number;
  met: number;
}

/** @param found receives the index of a condition, and its phrase that may match */
type Look = (words: readonly string[], found: (condition: number, phrase: Phrase) => void) => void;

/** More word sets are rare and can be ignored: matching the phrase checks them. */
const SETS = 30;

/** @param conditions those whose phrases all require a word */
export function createVocabulary(conditions: readonly Condition[]): Look {
  const known = new Map<string, Need[]>();
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of match) {
      const sets = phrase.required.slice(0, SETS);
      const entry: Entry = { condition, phrase, needed: (1 << sets.length) - 1, text: 0, met: 0 };
      for (const [set, words] of sets.entries())
        for (const word of words) {
          const needs = known.get(word);
          if (needs) needs.push({ entry, set });
          else known.set(word, [{ entry, set }]);
        }
    }

  let text = 0;
  return (words, found) => {
    text++;
    for (const word of words)
      for (const { entry, set } of known.get(word) ?? []) {
        if (entry.text !== text) {
          entry.text = text;
          entry.met = 0;
        }
        const met = entry.met | (1 << set);
        if (met === entry.met) continue;
        entry.met = met;
        if (met === entry.needed) found(entry.condition, entry.phrase);
      }
  };
}
