// What of all that was found in a session stands in the end.
import type { Item, Session } from "../model.js";
import { PASTED, type RuleSet } from "../rules/rule-set.js";
import type { Around } from "./around.js";
import type { Tracer } from "./find.js";
import type { Gathered } from "./gathered.js";
import type { Matcher } from "./matcher.js";
import { findUpdates } from "./outdated.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import { createRepeated, endRepeated } from "./repeated.js";
import { repickOptions } from "./repick.js";
import { createSettle } from "./settle.js";
import type { Subject } from "./subject.js";

interface Surroundings {
  readonly session: Session;
  readonly rules: RuleSet;
  readonly matcher: Matcher;
  readonly around: Around;
  readonly rank: Rank;
  readonly trace: Tracer | undefined;
}

/** The items with the options that the user took, what brings something up to date, and what settles items by both. */
export function createStand({ found, told, turns, retractions }: Gathered, { session, ...rest }: Surroundings) {
  const { rules, matcher } = rest;
  // What the user only shows brings nothing up to date.
  const isOwn = (subject: Subject) => !matcher.holds(subject, PASTED);
  const own = told.filter(isOwn);
  const updates = findUpdates(own, rules, matcher);
  const chosen = repickOptions(found, own, rest);
  const settle = createSettle({ told: own, turns: turns.filter(isOwn), retractions, updates, session }, rules, matcher);
  function stand(items: readonly Item[], placeOf: Rank, trace?: Tracer) {
    const replacedBy = new Map<string, string>();
    const settled = settle(items, placeOf, (one) => {
      if (one.outcome === "superseded" && one.why !== undefined) replacedBy.set(placeKey(one.evidence), one.why);
      trace?.(one);
    });
    const repeatedOf = createRepeated(settled, updates, ({ evidence }) => replacedBy.get(placeKey(evidence)), placeOf, rules);
    return { standing: endRepeated(settled, repeatedOf, trace), repeatedOf };
  }
  return { chosen, updates, stand };
}
