// Rules of the user that later words of his overrule: a ban that is lifted, a demand that is waived, a rule that is void,
// and a rule that now says the opposite.
import type { Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { namedThing } from "./named-thing.js";
import type { Ledger, Standing } from "./replace.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, termsOf } from "./topic.js";

/** The signals by which packs say it; all but the first name what they are about as {what}. */
const LIFTS = "lifts";
const BANS = "bans";
const DEMANDS = "demands";
const WAIVES = "waives";
const VOIDS = "voids";
export const OVERRULES: readonly string[] = [LIFTS, VOIDS, WAIVES, BANS, DEMANDS];

/** What forbids, in any words. */
const FORBIDS = "forbids";
const RULES: readonly Kind[] = ["constraint", "rejection"];
/** Share of an earlier rule that is named when it is lifted or said the other way round. */
const SAME_SHARE = 0.6;
/** Share of it that is named when it is waived: only what it is about. */
const NAMED_SHARE = 0.25;

export function overrule(way: string, by: Subject, nearest: readonly Standing[], ledger: Ledger, rules: RuleSet): void {
  const isPlain = plainWords(rules);
  const forbids = rules.signals.get(FORBIDS)?.match ?? [];
  const isBan = ({ item }: Standing) => item.kind === "rejection" || says(forbids, item.evidence.quote);
  const termsIn = (text: string) => [...termsOf(text, isPlain).keys()];
  const named = termsIn(way === LIFTS ? by.segment.text : (namedThing(by, way, rules) ?? ""));
  if (named.length === 0) return;
  const shareOf = ({ item }: Standing) => {
    const terms = termsIn(item.text);
    const shared = named.filter((term) => terms.includes(term)).length;
    // Who names more than the rule is about speaks of something else.
    return way === LIFTS || shared === named.length ? shared / Math.max(1, terms.length) : 0;
  };
  const least = way === WAIVES || way === VOIDS ? NAMED_SHARE : SAME_SHARE;
  const overruled = nearest
    .filter((entry) => (way === LIFTS || way === VOIDS ? RULES.includes(entry.item.kind) : true))
    .filter((entry) => way === VOIDS || isBan(entry) === (way === LIFTS || way === DEMANDS))
    .map((entry) => ({ entry, share: shareOf(entry) }))
    .filter(({ share }) => share >= least)
    .sort((a, b) => b.share - a.share);
  const [first, second] = overruled;
  // Where only a part is named, and of two rules as much, nobody can tell which is meant.
  if (least === NAMED_SHARE && first && first.share === second?.share) return;
  const isBare = way === LIFTS || least === NAMED_SHARE;
  for (const { entry } of least === NAMED_SHARE ? overruled.slice(0, 1) : overruled) ledger.replace(entry, { by, bare: isBare });
}
