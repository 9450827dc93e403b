// What the user does away with by its name: earlier facts about that very thing are no longer so.
import { UPDATED_STATEMENTS } from "../limits.js";
import type { Item, Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Matcher } from "./matcher.js";
import { namedThing } from "./named-thing.js";
import type { Rank } from "./reduce.js";
import { isBefore, type Ledger, type Standing } from "./replace.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, topicOf } from "./topic.js";

/** The signals by which packs say that something is done away with, as {what}, that a text says the same, and that it joins things. */
export const DROPS = "drops";
const UNDOES = "undoes";
const JOINS = "joins";
export const DROP_SIGNALS: readonly string[] = [DROPS];

const ENDED: readonly Kind[] = ["decision", "constraint", "done", "finding", "remaining"];
/** Share of the words for the thing that a fact about it has, its last one among them. */
const NAMED_SHARE = 0.6;
/** Share of the fact that is about the thing; less, and it is only mentioned. */
const ABOUT_SHARE = 0.2;
/** The same of a fact that joins things, "this and that": the others of them stand. */
const JOINT_SHARE = 0.75;
/** The same of a rule, which is worth more than what was done by it. */
const RULE_SHARE = 0.3;
/** A name that more facts have is about everything. */
const MOST_FACTS = 8;

export function dropItems(ledger: Ledger, told: readonly Subject[], rank: Rank, rules: RuleSet, matcher: Matcher): void {
  const isPlain = plainWords(rules);
  const undoes = rules.signals.get(UNDOES)?.match ?? [];
  const joins = rules.signals.get(JOINS)?.match ?? [];
  const leastShare = ({ kind, text }: Item) =>
    says(joins, text) ? JOINT_SHARE : kind === "constraint" ? RULE_SHARE : ABOUT_SHARE;
  const isOpen = ({ item: { status, kind } }: Standing) => status === "active" && ENDED.includes(kind);
  for (const subject of told.slice(-UPDATED_STATEMENTS)) {
    if (!matcher.holds(subject, DROPS)) continue;
    const named = topicOf(namedThing(subject, DROPS, rules) ?? "", isPlain).terms;
    const head = named.at(-1);
    if (head === undefined) continue;
    const isAbout = ({ item }: Standing) => {
      const { terms } = topicOf(item.text, isPlain);
      const shared = named.filter((term) => terms.includes(term)).length;
      return (
        terms.includes(head) &&
        shared >= NAMED_SHARE * named.length &&
        shared >= leastShare(item) * terms.length &&
        !says(undoes, item.evidence.quote)
      );
    };
    const about = ledger
      .before(subject, rank)
      .filter((entry) => isOpen(entry) && isBefore(entry.item, subject, rank) && isAbout(entry));
    if (about.length > MOST_FACTS) continue;
    // Who gives up a rule sets no other by that.
    for (const entry of about) ledger.replace(entry, { by: subject, bare: entry.item.kind === "constraint" });
  }
}
