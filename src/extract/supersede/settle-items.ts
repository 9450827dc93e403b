// Settles the items of a session: merges repeated ones, and marks those that later words ended as superseded.
import type { Item } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tracer } from "../match/to-item.js";
import { placeKey } from "../place.js";
import type { Steps } from "../steps.js";
import { applyUpdates, type SessionTexts, type Updated } from "./apply-updates.js";
import { inOrder, type Rank, reduceItems } from "./reduce-items.js";
import { plainWords } from "./topic.js";

export function* settleItems(
  items: readonly Item[],
  texts: SessionTexts,
  rank: Rank,
  rules: RuleSet,
  trace?: Tracer,
): Steps<Updated> {
  const reduced = reduceItems(items, rank, trace);
  const updated = yield* applyUpdates(reduced, texts, rank, plainWords(rules));
  if (trace) tellEnded(reduced.items, updated, trace);
  return { ...updated, items: inOrder(updated.items, rank) };
}

function tellEnded(before: readonly Item[], { items, ended }: Updated, trace: Tracer): void {
  for (const [index, item] of items.entries()) {
    const { rule } = item.evidence;
    const earlier = before[index];
    if (!earlier) trace({ rule, outcome: "fired", why: "in place of what it ends", evidence: item.evidence });
    else if (earlier.status !== item.status) {
      const why = ended.get(placeKey(item.evidence));
      trace({ rule, outcome: "superseded", ...(why !== undefined && { why }), evidence: item.evidence });
    }
  }
}
