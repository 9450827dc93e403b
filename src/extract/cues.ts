// Weak cues that add up: for each kind the weights of the signals that hold, against a threshold.
import type { Cues } from "../rules/rule-set.js";
import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";

/** What the cues of one fact add up to. */
export interface Sum {
  readonly cues: Cues;
  readonly total: number;
  /** From 0 to 1, as rules have it. */
  readonly score: number;
  readonly parts: readonly { readonly name: string; readonly worth: number }[];
}

/**
 * The sums for a text, the one that is furthest above its threshold first.
 * @param short with those that fall short
 */
export function addUp(subject: Subject, all: readonly Cues[], matcher: Matcher, short: boolean): readonly Sum[] {
  const sums: Sum[] = [];
  for (const cues of all) {
    if (matcher.outside(cues.in, subject) !== undefined || cues.not.some((name) => matcher.holds(subject, name))) continue;
    if (!short && atMost(cues, subject, matcher) < cues.least) continue;
    const parts = [...cues.weights].flatMap(([name, weight]) => {
      const worth = Math.round(weight * matcher.strength(subject, name));
      return worth === 0 ? [] : [{ name, worth }];
    });
    const total = parts.reduce((sum, { worth }) => sum + worth, 0);
    if (short || total >= cues.least) sums.push({ cues, total, score: scoreOf(total - cues.least), parts });
  }
  return sums.sort((a, b) => b.total - b.cues.least - (a.total - a.cues.least));
}

/** Most texts fall short before the dearest is asked: what tools did with their words. */
function atMost({ weights, degrees, gain, least }: Cues, subject: Subject, matcher: Matcher): number {
  let sum = gain;
  for (const name of matcher.signalsOf(subject)) sum += weights.get(name) ?? 0;
  for (const [name, weight] of degrees) {
    if (sum < least) break;
    sum += Math.round(weight * matcher.strength(subject, name)) - Math.max(0, weight);
  }
  return sum;
}

/** At the threshold a fact is worth little more than any sentence; it never counts as much as one that a rule is sure of. */
const LEAST_SCORE = 0.3;
const MOST_SCORE = 0.55;
/** What one weight is mostly worth. */
const STEP = 400;
function scoreOf(above: number): number {
  const score = LEAST_SCORE + above / STEP;
  return Math.round(100 * Math.min(MOST_SCORE, Math.max(0, score))) / 100;
}
