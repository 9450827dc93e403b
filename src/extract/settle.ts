// Items as they were said → items as they stand: the same said twice is one, what is newer counts, what was withdrawn does not.
import type { Item, Session } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { correctItems } from "./correct-items.js";
import { dropItems } from "./drop-items.js";
import type { Tracer } from "./find.js";
import type { Matcher } from "./matcher.js";
import { markMeasured } from "./measured.js";
import type { Updates } from "./outdated.js";
import { endPassedOver } from "./passed-over.js";
import { inOrder, type Rank, reduceItems } from "./reduce.js";
import { renewItems } from "./renew.js";
import { openLedger } from "./replace.js";
import { retract } from "./retract.js";
import type { Subject } from "./subject.js";
import { type Retraction, retractItems } from "./take-back.js";

interface Said {
  /** What the user said, */
  readonly told: readonly Subject[];
  /** and where he turns away from something, or the assistant owns up to an error, */
  readonly turns: readonly Subject[];
  readonly retractions: readonly Retraction[];
  /** and what is brought up to date. */
  readonly updates: Updates;
  readonly session: Session;
}

export type Settle = (items: readonly Item[], placeOf: Rank, trace?: Tracer) => readonly Item[];

export function createSettle({ told, turns, retractions, updates, session }: Said, rules: RuleSet, matcher: Matcher): Settle {
  return (items, placeOf, trace) => {
    const ledger = openLedger(reduceItems(items, placeOf, trace), trace);
    renewItems(ledger, told, updates, placeOf, rules, matcher);
    const isOwn = ({ source }: Subject) => source.role === "assistant";
    correctItems(ledger, turns.filter(isOwn), placeOf, rules);
    retract(
      ledger,
      turns.filter((turn) => !isOwn(turn)),
      placeOf,
      rules,
    );
    dropItems(ledger, told, placeOf, rules, matcher);
    endPassedOver(ledger, placeOf, rules);
    const standing = inOrder(
      ledger.entries.map(({ item }) => item),
      placeOf,
    );
    return markMeasured(retractItems(standing, retractions, requestBefore(session), placeOf, trace), session);
  };
}

/** The message in which the user spoke last before. */
function requestBefore({ messages }: Session): (id: string) => string | undefined {
  const before = new Map<string, string | undefined>();
  let last: string | undefined;
  for (const { id, role, meta } of messages) {
    before.set(id, last);
    if (role === "user" && !meta) last = id;
  }
  return (id) => before.get(id);
}
