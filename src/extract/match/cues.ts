// Adds up weak cues: for each kind, the weights of the signals that hold, compared with a threshold.
import type { Cues } from "../../rules/rule-set.js";
import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";

/** The sum of one set of cues for a text. */
export interface Sum {
  readonly cues: Cues;
  readonly total: number;
  /** From 0 to 1, like the score of a rule. */
  readonly score: number;
  /** What excludes it, whatever the sum. */
  readonly kept?: { readonly outcome: "outside" | "guarded"; readonly why: string };
  /** The addends, for `explain`. */
  readonly parts: () => readonly Part[];
}

interface Part {
  readonly name: string;
  readonly worth: number;
}

/**
 * The sums for a text, the one furthest above its threshold first.
 * @param short includes sums below their threshold and excluded ones
 */
export function addUp(subject: Subject, all: readonly Cues[], matcher: Matcher, short: boolean): readonly Sum[] {
  const sums: Sum[] = [];
  for (const cues of all) {
    const kept = keptOut(cues, subject, matcher);
    if (kept && !short) continue;
    const total = totalOf(cues, subject, matcher, short);
    if (!short && total < cues.least) continue;
    const parts = () => partsOf(cues, subject, matcher);
    sums.push({ cues, total, score: scoreOf(total - cues.least), ...(kept && { kept }), parts });
  }
  return sums.sort((a, b) => b.total - b.cues.least - (a.total - a.cues.least));
}

function keptOut(cues: Cues, subject: Subject, matcher: Matcher): Sum["kept"] {
  const excluded = matcher.outside(cues.in, subject);
  if (excluded !== undefined) return { outcome: "outside", why: excluded };
  const present = cues.not.find((name) => matcher.holds(subject, name));
  return present === undefined ? undefined : { outcome: "guarded", why: `signal ${present}` };
}

/** The sum; below the threshold, an upper bound of it. What tools did is checked last, because it is the most expensive. */
function totalOf({ weights, degrees, gain, least }: Cues, subject: Subject, matcher: Matcher, whole: boolean): number {
  let sum = gain + matcher.sum(weights, subject);
  for (const [name, weight] of degrees) {
    if (!whole && sum < least) break;
    sum += Math.round(weight * matcher.strength(subject, name)) - Math.max(0, weight);
  }
  return sum;
}

function partsOf({ weights }: Cues, subject: Subject, matcher: Matcher): readonly Part[] {
  return [...weights].flatMap(([name, weight]) => {
    const worth = Math.round(weight * matcher.strength(subject, name));
    return worth === 0 ? [] : [{ name, worth }];
  });
}

/** At the threshold, a fact counts little more than any sentence. It never counts as much as one from a sure rule. */
const LEAST_SCORE = 0.3;
const MOST_SCORE = 0.55;
/** Points above the threshold that would raise the score by 1. */
const STEP = 400;
function scoreOf(above: number): number {
  const score = LEAST_SCORE + above / STEP;
  return Math.round(100 * Math.min(MOST_SCORE, Math.max(0, score))) / 100;
}
