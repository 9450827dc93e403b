// Proposes facts that the rules are not sure enough of: sentences whose cues add up to less than their threshold.
import type { Item } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Late, Steps } from "../../steps.js";
import type { Signals } from "../signals/signals.js";
import { addUp } from "./cues.js";
import type { Weighed } from "./find-facts.js";
import { BESIDE, itemOfSum } from "./find-items.js";

/** The least probability that is worth a question. */
const LEAST_SCORE = 0.15;

/** At most one item for each sentence in which nothing was found. */
export function* proposeItems(
  weighed: readonly Weighed[],
  rules: RuleSet,
  signals: Signals,
  late?: Late,
): Steps<readonly Item[]> {
  const items: Item[] = [];
  for (const { subject, kinds } of weighed) {
    yield;
    if (late?.()) break;
    if (subject.source.role === "file" || kinds.some((kind) => !BESIDE.includes(kind))) continue;
    const likely = addUp(subject, rules.cues, signals, true).filter(({ kept, score }) => !kept && score >= LEAST_SCORE);
    const [best] = likely.sort((a, b) => b.score - a.score);
    const item = best && itemOfSum(best, rules.rules.length, subject, rules, signals);
    if (item && typeof item !== "string") items.push(item);
  }
  return items;
}
