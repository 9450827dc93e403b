// How much a sentence is worth in a brief, rule hit or not: the weights of its signals, added up.
import { REMEMBERED_TEXTS } from "../limits.js";
import type { Kind, Statement } from "../model.js";
import { BUILT_IN_SIGNALS, type RuleSet } from "../rules/rule-set.js";
import type { Matcher, Subject } from "./matcher.js";

/** A sentence without the words that its signals were told by: of a long session there are many. */
export interface Weighed {
  readonly statement: Omit<Statement, "salience">;
  /** The declared signals that hold. */
  readonly signals: ReadonlySet<string>;
}

const HUNDREDTH = 0.01;
/** There are few different sets of signals, and many sentences. */
const shared = new Map<string, ReadonlySet<string>>();

export function toWeighed(subject: Subject, kinds: readonly Kind[], rules: RuleSet, matcher: Matcher): Weighed {
  const { source, segment } = subject;
  const { start, end, node, text, task } = segment;
  const signals = [...rules.salience.keys()].filter((name) => !isBuiltIn(name) && matcher.holds(subject, name));
  const statement = {
    ...(task && { task }),
    ...(source.tool !== undefined && { tool: source.tool }),
    ordinal: source.ordinal,
    source: source.id,
    by: source.by,
    node,
    text,
    start,
    end,
    kinds,
    places: source.places,
  };
  const key = signals.join();
  const same = shared.get(key) ?? new Set(signals);
  if (shared.size < REMEMBERED_TEXTS) shared.set(key, same);
  return { statement, signals: same };
}

export function weigh(weighed: readonly Weighed[], rules: RuleSet): readonly Statement[] {
  const sources = (weighed.at(-1)?.statement.ordinal ?? 0) || 1;
  return weighed.map(({ statement, signals }) => {
    let salience = 0;
    for (const [name, weight] of rules.salience)
      salience += weight * HUNDREDTH * strength(name, signals, statement.kinds, statement.ordinal / sources);
    return { ...statement, salience };
  });
}

const isBuiltIn = (name: string) => (BUILT_IN_SIGNALS as readonly string[]).includes(name);

/** From 0 to 1. Declared signals hold or not; `late` grows with the place in the session, `ruled` tells that a rule fired. */
function strength(name: string, signals: ReadonlySet<string>, kinds: readonly Kind[], position: number): number {
  if (name === "late") return position;
  if (name === "ruled") return kinds.length > 0 ? 1 : 0;
  return signals.has(name) ? 1 : 0;
}
