// How much a sentence is worth in a brief, rule hit or not: the weights of its signals, added up to the odds that
// somebody will miss it.
import type { Kind, Source, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Matcher, Subject } from "./matcher.js";

export interface Weighed {
  readonly subject: Subject;
  readonly kinds: readonly Kind[];
}

const HUNDREDTH = 0.01;

export function weigh(weighed: readonly Weighed[], rules: RuleSet, matcher: Matcher): readonly Statement[] {
  const sources = (weighed.at(-1)?.subject.source.ordinal ?? 0) || 1;
  return weighed.map(({ subject, kinds }) => {
    const { source, segment } = subject;
    let sum = 0;
    for (const [name, weight] of rules.salience)
      sum += weight * HUNDREDTH * strength(name, subject, kinds, source.ordinal / sources, matcher);
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
      salience: isSaid(source) ? 1 / (1 + Math.exp(-sum)) : 0,
      kinds,
      places: source.places,
    };
  });
}

const isSaid = ({ role }: Source) => role === "user" || role === "assistant" || role === "file";

/** From 0 to 1. Declared signals hold or not; `late` grows with the place in the session, `ruled` tells that a rule fired. */
function strength(name: string, subject: Subject, kinds: readonly Kind[], position: number, matcher: Matcher): number {
  if (name === "late") return position;
  if (name === "ruled") return kinds.length > 0 ? 1 : 0;
  return matcher.holds(subject, name) ? 1 : 0;
}
