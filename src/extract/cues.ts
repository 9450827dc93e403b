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
  /** What keeps it out, however much it is. */
  readonly kept?: { readonly outcome: "outside" | "guarded"; readonly why: string };
  /** For those who ask why. */
  readonly parts: () => readonly Part[];
}

interface Part {
  readonly name: string;
  readonly worth: number;
}

/**
 * The sums for a text, the one that is furthest above its threshold first.
 * @param short with those that fall short or are kept out
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

/** The sum; of a text that falls short, no less than it. What tools did with its words is asked last: it is the dearest. */
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

/** At the threshold a fact is worth little more than any sentence; it never counts as much as one that a rule is sure of. */
const LEAST_SCORE = 0.3;
const MOST_SCORE = 0.55;
/** What one weight is mostly worth. */
const STEP = 400;
function scoreOf(above: number): number {
  const score = LEAST_SCORE + above / STEP;
  return Math.round(100 * Math.min(MOST_SCORE, Math.max(0, score))) / 100;
}
