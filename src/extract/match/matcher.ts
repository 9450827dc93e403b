// Applies a rule set to a text in its session: which signals hold, declared ones and those of the session, and what they add up to.
import type { RuleSet } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { mayMeet } from "./condition-index.js";
import { declaredFor } from "./declared.js";
import type { Subject } from "./subject.js";

/** The matcher of a rule set. */
export const matcherFor = rememberFor(createMatcher);

/** A signal with a degree counts as held from here on. */
const HALF = 0.5;

function createMatcher(rules: RuleSet) {
  const { localOf, sum, says, isDeclared, outside } = declaredFor(rules);
  const degree = (subject: Subject, name: string) => subject.around?.degree(subject, name) ?? 0;

  const holds = (subject: Subject, name: string): boolean =>
    isDeclared(name) ? says(subject, name) : degree(subject, name) >= HALF;

  /** The strength of a signal, from 0 to 1. */
  const strength = (subject: Subject, name: string): number =>
    isDeclared(name) ? Number(says(subject, name)) : degree(subject, name);

  /** The rules that may match, wherever they apply. */
  const candidates = (subject: Subject) => rules.rules.filter((rule) => mayMeet(rule, subject));

  return { candidates, localOf, sum, holds, strength, outside };
}

export type Matcher = ReturnType<typeof createMatcher>;
