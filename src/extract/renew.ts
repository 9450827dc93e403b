// Which facts later words of the user set anew: another number of the same thing, another word in the same act, a rule that
// is overruled, and what updates say.
import { RENEWED_BACK, UPDATED_STATEMENTS } from "../limits.js";
import type { Item, Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";
import { firstPhrase } from "./condition.js";
import type { Matcher } from "./matcher.js";
import type { Updates } from "./outdated.js";
import { OVERRULES, overrule } from "./overrule.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import { isBefore, type Ledger, type Standing } from "./replace.js";
import type { Subject } from "./subject.js";
import { plainWords, termsOf } from "./topic.js";
import { areOfOthers, isSameUnit, valuesOf } from "./values.js";

/** The signals by which packs say it. */
const RESETS = "resets";
const TURN_SIGNALS = ["turns", "updates"];
/** Signals of this name tell an act of which a session knows one at a time, such as giving a name. */
const ACTS = "act-";
const actsOf = ({ signals }: RuleSet) => [...signals.keys()].filter((name) => name.startsWith(ACTS));
export const renewSignals = (rules: RuleSet): readonly string[] => [...OVERRULES, RESETS, ...TURN_SIGNALS, ...actsOf(rules)];

const SET: readonly Kind[] = ["decision", "constraint"];
/** What a session begins with is a goal, whatever it sets. */
const RESET: readonly Kind[] = [...SET, "goal"];
const BANS: readonly Kind[] = ["constraint", "rejection"];

export function renewItems(
  ledger: Ledger,
  told: readonly Subject[],
  { sure }: Updates,
  rank: Rank,
  rules: RuleSet,
  matcher: Matcher,
): void {
  const acts = actsOf(rules);
  const subjects = new Map(
    told.map((subject) => [placeKey({ source: subject.source.id, start: subject.segment.start }), subject]),
  );
  const isOpen = ({ item: { by, status, kind } }: Standing) =>
    by === "user" && status === "active" && (SET.includes(kind) || BANS.includes(kind));
  const isGoal = ({ item: { by, status, kind } }: Standing) => by === "user" && status === "active" && kind === "goal";
  for (const entry of ledger.entries.filter(isOpen)) {
    const subject = subjects.get(placeKey(entry.item.evidence));
    const by = subject && sure.get(subject);
    if (by) ledger.replace(entry, { by });
  }
  for (const subject of told.slice(-UPDATED_STATEMENTS)) {
    const way = subject.segment.question ? undefined : wayOf(subject, acts, matcher);
    if (way === undefined) continue;
    const nearest = ledger
      .before(subject, rank)
      .filter((entry) => (isOpen(entry) || (way === RESETS && isGoal(entry))) && isBefore(entry.item, subject, rank))
      .sort((a, b) => byPlace(b.item, a.item, rank))
      .slice(0, RENEWED_BACK);
    if (OVERRULES.includes(way)) overrule(way, subject, nearest, ledger, rules);
    else if (way === RESETS) reset(subject, nearest, ledger, rules);
    else {
      const thing = thingOf(subject, way, rules);
      const same = nearest.find(({ item }) => {
        const other = subjects.get(placeKey(item.evidence));
        return other !== undefined && matcher.holds(other, way) && thingOf(other, way, rules) === thing;
      });
      if (same) ledger.replace(same, { by: subject });
    }
  }
}

/** How a text sets something anew, by the signal that tells it. */
function wayOf(subject: Subject, acts: readonly string[], matcher: Matcher): string | undefined {
  const told = [...OVERRULES, RESETS].find((name) => matcher.holds(subject, name));
  if (told !== undefined || !TURN_SIGNALS.some((name) => matcher.holds(subject, name))) return told;
  return acts.find((name) => matcher.holds(subject, name));
}

/** The nearest number of the same unit: of the thing that is named, or the last one where none is. */
function reset(by: Subject, nearest: readonly Standing[], ledger: Ledger, rules: RuleSet): void {
  const isPlain = plainWords(rules);
  const [value] = valuesOf(by.segment.text, isPlain);
  if (!value) return;
  const thing = thingOf(by, RESETS, rules);
  const named = thing === undefined ? [] : [...termsOf(thing, isPlain).keys()];
  for (const entry of nearest) {
    const { kind, text } = entry.item;
    if (!RESET.includes(kind)) continue;
    const terms = termsOf(text, isPlain);
    if (thing !== undefined && (!named.some((term) => terms.has(term)) || areOfOthers(named, [...terms.keys()]))) continue;
    const [old, other] = valuesOf(text, isPlain).filter((one) => isSameUnit(one, value));
    if (!old || old.number === value.number || (thing === undefined && other)) continue;
    // "Make it 60 s" says something only in the words that it changes.
    const changed = text.slice(0, old.start) + value.number + text.slice(old.end);
    ledger.replace(entry, thing === undefined ? { by, text: changed } : { by });
    return;
  }
}

/** What the words name as the thing that is set, or undefined where they say "it". */
function thingOf({ segment, words }: Subject, signal: string, rules: RuleSet): string | undefined {
  const slot = firstPhrase(rules.signals.get(signal)?.match ?? [], words)?.slots.find(({ name }) => name === "thing");
  return slot && sameText(segment.text.slice(slot.start, slot.end));
}

const byPlace = (a: Item, b: Item, rank: Rank) =>
  rank(a.evidence.source) - rank(b.evidence.source) || a.evidence.start - b.evidence.start;
