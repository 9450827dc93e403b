// What the user does away with by its name: earlier facts about that very thing are no longer so.
import { UPDATED_STATEMENTS } from "../limits.js";
import type { Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Matcher } from "./matcher.js";
import { namedThing } from "./named-thing.js";
import type { Rank } from "./reduce.js";
import { isBefore, type Ledger, type Standing } from "./replace.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, topicOf } from "./topic.js";

/** The signals by which packs say that something is done away with, as {what}, and that a text says the same. */
const DROPS = "drops";
const UNDOES = "undoes";
export const DROP_SIGNALS: readonly string[] = [DROPS];

const ENDED: readonly Kind[] = ["decision", "done", "finding", "remaining"];
/** Share of the words for the thing that a fact about it has, its last one among them. */
const NAMED_SHARE = 0.6;
/** Share of the fact that is about the thing; less, and it is only mentioned. */
const ABOUT_SHARE = 0.2;
/** A name that more facts have is about everything. */
const MOST_FACTS = 8;

export function dropItems(ledger: Ledger, told: readonly Subject[], rank: Rank, rules: RuleSet, matcher: Matcher): void {
  const isPlain = plainWords(rules);
  const undoes = rules.signals.get(UNDOES)?.match ?? [];
  const isOpen = ({ item: { status, kind } }: Standing) => status === "active" && ENDED.includes(kind);
  for (const subject of told.slice(-UPDATED_STATEMENTS)) {
    if (!matcher.holds(subject, DROPS)) continue;
    const named = topicOf(namedThing(subject, DROPS, rules) ?? "", isPlain).terms;
    const head = named.at(-1);
    if (head === undefined) continue;
    const isAbout = ({ item: { text, evidence } }: Standing) => {
      const { terms } = topicOf(text, isPlain);
      const shared = named.filter((term) => terms.includes(term)).length;
      return (
        terms.includes(head) &&
        shared >= NAMED_SHARE * named.length &&
        shared >= ABOUT_SHARE * terms.length &&
        !says(undoes, evidence.quote)
      );
    };
    const about = ledger.entries.filter((entry) => isOpen(entry) && isBefore(entry.item, subject, rank) && isAbout(entry));
    if (about.length > MOST_FACTS) continue;
    for (const entry of about) ledger.replace(entry, { by: subject });
  }
}
