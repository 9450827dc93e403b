// Which rules are tried on a text: those that need no word of it, and those one of whose words or patterns it holds.
import { mayMatch } from "../rules/pattern.js";
import type { Phrase } from "../rules/phrase.js";
import type { Rule } from "../rules/rule-set.js";
import { isFor } from "./selector.js";
import type { Subject } from "./subject.js";
import { createVocabulary } from "./vocabulary.js";

/** A rule, and those of its phrases that are worth a try; without them, all are. */
export interface Candidate {
  readonly rule: Rule;
  readonly phrases?: readonly Phrase[];
}

/** The rules that may have something to say, in their order. */
export function createCandidates(rules: readonly Rule[]): (subject: Subject) => readonly Candidate[] {
  const anchored = ({ match, regex }: Rule) => [...match, ...regex].every(({ anchors }) => anchors.length > 0);
  const isFree = (rule: Rule) => !anchored(rule) || (rule.match.length === 0 && rule.regex.length === 0);
  const free = rules.filter(isFree);
  const others = rules.filter((rule) => !isFree(rule));
  const byPattern = others.flatMap((rule, number) => (rule.regex.length > 0 ? [number] : []));
  const vocabulary = createVocabulary(others);
  /** Rules that need no word are many, but each is for few sorts of text. */
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
