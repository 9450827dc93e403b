// Proposes facts that the rules are not sure enough of: sentences whose cues add up to less than their threshold.
import type { Item } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Weighed } from "../signals/salience.js";
import { addUp } from "./cues.js";
import { BESIDE, itemOfSum } from "./find-items.js";
import type { Matcher } from "./matcher.js";

/** The least probability that is worth a question. */
const LEAST_SCORE = 0.15;

/** At most one item for each sentence in which nothing was found. */
export function proposeItems(weighed: readonly Weighed[], rules: RuleSet, matcher: Matcher): readonly Item[] {
  return weighed.flatMap(({ subject, kinds }) => {
    if (subject.source.role === "file" || kinds.some((kind) => !BESIDE.includes(kind))) return [];
    const likely = addUp(subject, rules.cues, matcher, true).filter(({ kept, score }) => !kept && score >= LEAST_SCORE);
    const [best] = likely.sort((a, b) => b.score - a.score);
    const item = best && itemOfSum(best, rules.rules.length, subject, rules, matcher);
    return item && typeof item !== "string" ? [item] : [];
  });
}
