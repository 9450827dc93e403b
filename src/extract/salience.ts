// How much a sentence is worth in a brief, rule hit or not: the weights of its signals, added up.
import type { Kind, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";

export interface Weighed {
  readonly subject: Subject;
  readonly kinds: readonly Kind[];
}

const HUNDREDTH = 0.01;

export function weigh(weighed: readonly Weighed[], rules: RuleSet, matcher: Matcher): readonly Statement[] {
  const sources = (weighed.at(-1)?.subject.source.ordinal ?? 0) || 1;
  return weighed.map(({ subject, kinds }) => {
    const { source, segment } = subject;
    let salience = 0;
    for (const [name, weight] of rules.salience)
      salience += weight * HUNDREDTH * strength(name, subject, kinds, source.ordinal / sources, matcher);
    const { start, end, node, text, task } = segment;
    return {
      ...(task && { task }),
      ...(source.tool !== undefined && { tool: source.tool }),
      ordinal: source.ordinal,
      source: source.id,
      by: source.by,
      node,
      text,
      start,
      end,
      salience,
      kinds,
      places: source.places,
    };
  });
}

/** From 0 to 1. `late` grows with the place in the session, `ruled` tells that a rule fired. */
function strength(name: string, subject: Subject, kinds: readonly Kind[], position: number, matcher: Matcher): number {
  if (name === "late") return position;
  if (name === "ruled") return kinds.length > 0 ? 1 : 0;
  return matcher.strength(subject, name);
}
