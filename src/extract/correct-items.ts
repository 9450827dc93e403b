// What the assistant found, and takes back itself: "that was wrong", "the pool is not the problem".
import { CORRECTED_BACK, CORRECTION_CHARACTERS } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { namedThing } from "./named-thing.js";
import type { Rank } from "./reduce.js";
import { isBefore, type Ledger, type Standing } from "./replace.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, topicOf } from "./topic.js";

/** The signals by which packs say that the assistant owns up to an error, and what names a cause. */
export const CORRECTS = "corrects";
const CAUSES = "causes";

/** Share of a finding's words that are said again where it is taken back, and how many they are at least. */
const NAMED_SHARE = 0.3;
const NAMED_TERMS = 2;

export function correctItems(ledger: Ledger, corrections: readonly Subject[], rank: Rank, rules: RuleSet): void {
  const isPlain = plainWords(rules);
  const termsIn = (text: string) => topicOf(text, isPlain).terms;
  const causes = rules.signals.get(CAUSES)?.match ?? [];
  const heard = new Set<string>();
  for (const subject of corrections) {
    const isNear = ({ item }: Standing) =>
      item.kind === "finding" &&
      item.by === "assistant" &&
      item.status === "active" &&
      isBefore(item, subject, rank) &&
      rank(item.evidence.source) >= rank(subject.source.id) - CORRECTED_BACK;
    const nearest = ledger.before(subject, rank).filter(isNear);
    const near = nearest.map((entry) => ({ entry, terms: termsIn(entry.item.text) }));
    const { start } = subject.segment;
    const what = namedThing(subject, CORRECTS, rules);
    if (what !== undefined) {
      const head = termsIn(what).at(-1);
      const isBlamed = (terms: readonly string[], { item }: Standing) =>
        head !== undefined && terms.includes(head) && says(causes, item.evidence.quote);
      for (const { entry, terms } of near) if (isBlamed(terms, entry)) ledger.replace(entry, { by: subject });
      continue;
    }
    // Who says it twice in one message takes one thing back.
    if (heard.has(subject.source.id)) continue;
    heard.add(subject.source.id);
    const named = new Set(termsIn(subject.source.text.slice(start, start + CORRECTION_CHARACTERS)));
    let meant: { readonly entry: Standing; readonly share: number } | undefined;
    for (const { entry, terms } of near) {
      const shared = terms.filter((term) => named.has(term)).length;
      const share = shared / terms.length;
      // "That" is one thing: the last of those that are named most.
      if (shared >= NAMED_TERMS && share >= NAMED_SHARE && share >= (meant?.share ?? 0)) meant = { entry, share };
    }
    if (meant) ledger.replace(meant.entry, { by: subject });
  }
}
