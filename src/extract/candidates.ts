// Which rules are tried on a text: those that need no word of it, and those one of whose words or patterns it holds.
import { mayMatch } from "../rules/pattern.js";
import type { Rule } from "../rules/rule-set.js";
import { isFor } from "./selector.js";
import type { Subject } from "./subject.js";
import { createVocabulary } from "./vocabulary.js";

/** The rules that may have something to say, in their order. */
export function createCandidates(rules: readonly Rule[]): (subject: Subject) => readonly Rule[] {
  const anchored = ({ match, regex }: Rule) => [...match, ...regex].every(({ anchors }) => anchors.length > 0);
  const isFree = (rule: Rule) => !anchored(rule) || (rule.match.length === 0 && rule.regex.length === 0);
  const free = rules.filter(isFree);
  const others = rules.filter((rule) => !isFree(rule));
  const byPattern = others.filter(({ regex }) => regex.length > 0);
  const vocabulary = createVocabulary(others);
  /** Rules that need no word are many, but each is for few sorts of text. */
  const freeFor = new Map<string, readonly Rule[]>();
  function wordless({ source, segment }: Subject): readonly Rule[] {
    const key = `${source.role} ${segment.node}`;
    const own = freeFor.get(key) ?? free.filter((rule) => isFor(rule.in, source, segment));
    freeFor.set(key, own);
    return own;
  }
  return (subject) => {
    const own = wordless(subject);
    let found: Set<Rule> | undefined;
    vocabulary(subject.words.folded, (rule) => {
      found ??= new Set(own);
      found.add(others[rule] as Rule);
    });
    if (byPattern.length > 0) {
      const { text } = subject.segment;
      const lower = text.toLowerCase();
      for (const rule of byPattern)
        if (rule.regex.some((pattern) => mayMatch(pattern, text, lower))) found = (found ?? new Set(own)).add(rule);
    }
    return found ? [...found].sort((a, b) => a.order - b.order) : own;
  };
}
