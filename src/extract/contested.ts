// What the user's answer objects to: the words of the assistant that it names again.
import type { Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Around } from "./around.js";
import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";
import { termsOf, weighedTerms, worthIn, worthOfAll } from "./terms.js";
import { plainWords } from "./topic.js";

/** The signal that is told here, and the one by which packs say what an objection begins like. */
export const CONTESTED = "contested";
export const CONTESTS = "contests";

/** Of fewer terms a share says nothing. */
const LEAST_TERMS = 2;
/** The share of a text's terms from which the answer is about it, and from which it is wholly about it. */
const LEAST_SHARE = 0.2;
const WHOLE_SHARE = 0.35;

/** How much of a text the user's answer objects to, from 0 to 1. */
export function createContested(rules: RuleSet, matcher: Matcher): (subject: Subject) => number {
  const isPlain = plainWords(rules);
  const known = new Map<Source, ReadonlySet<string> | undefined>();
  function objection(around: Around, reply: Source): ReadonlySet<string> | undefined {
    if (known.has(reply)) return known.get(reply);
    const [first] = around.opening(reply);
    const terms = first && matcher.holds(first, CONTESTS) ? termsOf(reply.text) : undefined;
    known.set(reply, terms);
    return terms;
  }
  return ({ source, segment, around }) => {
    const reply = source.role === "assistant" ? around?.reply(source) : undefined;
    const named = around && reply && objection(around, reply);
    if (!named) return 0;
    const terms = weighedTerms(segment.text, isPlain);
    if (terms.length < LEAST_TERMS) return 0;
    const share = worthIn(terms, named) / worthOfAll(terms);
    return share < LEAST_SHARE ? 0 : Math.min(1, share / WHOLE_SHARE);
  };
}
