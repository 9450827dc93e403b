// Adds up weak cues: for each kind, the weights of the signals that hold, compared with a threshold.
import type { Cues } from "../../rules/rule-set.js";
import type { Subject } from "../segments/subject.js";
import type { Signals } from "../signals/signals.js";

/** The sum of one set of cues for a text. */
export interface Sum {
  readonly cues: Cues;
  readonly total: number;
  /** The probability that it is right. */
  readonly score: number;
  /** What excludes it, whatever the sum. */
  readonly kept?: { readonly outcome: "outside" | "guarded"; readonly why: string };
  /** The addends, for `explain`. */
  readonly parts: () => readonly Part[];
}

export type Part = { readonly name: string; readonly worth: number };

/** The sums for a text, the one furthest above its threshold first.
 * @param short includes sums below their threshold and excluded ones */
export function addUp(subject: Subject, all: readonly Cues[], signals: Signals, short: boolean): readonly Sum[] {
  const sums: Sum[] = [];
  for (const cues of all) {
    const kept = keptOut(cues, subject, signals);
    if (kept && !short) continue;
    const total = totalOf(cues, subject, signals, short);
    if (!short && total < cues.least) continue;
    const parts = () => partsOf(cues, subject, signals);
    sums.push({ cues, total, score: scoreOf(cues, total), ...(kept && { kept }), parts });
  }
  return sums.sort((a, b) => b.total - b.cues.least - (a.total - a.cues.least));
}

function keptOut(cues: Cues, subject: Subject, signals: Signals): Sum["kept"] {
  const excluded = signals.outside(cues.in, subject);
  if (excluded !== undefined) return { outcome: "outside", why: excluded };
  const present = cues.not.find((name) => signals.holds(subject, name));
  return present === undefined ? undefined : { outcome: "guarded", why: `signal ${present}` };
}

/** The sum; below the threshold, an upper bound of it. What tools did is checked last, because it is the most expensive. */
function totalOf({ weights, degrees, gain, least }: Cues, subject: Subject, signals: Signals, whole: boolean): number {
  let sum = gain + signals.sum(weights, subject);
  for (const [name, weight] of degrees) {
    if (!whole && sum < least) break;
    sum += Math.round(weight * signals.strength(subject, name)) - Math.max(0, weight);
  }
  return sum;
}

function partsOf({ weights }: Cues, subject: Subject, signals: Signals): readonly Part[] {
  return [...weights].flatMap(([name, weight]) => {
    const worth = Math.round(weight * signals.strength(subject, name));
    return worth === 0 ? [] : [{ name, worth }];
  });
}

/** What a point above the threshold adds to the log odds: a hundredth, less what the weights promise too much in new sessions. */
const LOG_ODDS = 0.008;
function scoreOf({ score, least }: Cues, total: number): number {
  const odds = (score / (1 - score)) * Math.exp(LOG_ODDS * (total - least));
  return Math.round((100 * odds) / (1 + odds)) / 100;
}
