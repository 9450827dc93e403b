// Turns the option that the user picked into a decision in the option's own words, and the other options into rejections.
import type { Item, Kind } from "../../model.js";
import type { Match } from "../../rules/phrase/first-phrase.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { evidenceOf, type Subject } from "../segments/subject.js";
import type { Pick } from "../signals/options.js";
import type { Signals } from "../signals/signals.js";
import { type Giver, type Tracer, toItem } from "./to-item.js";

/** A pick is certain; the other options are rejected only indirectly. */
const PICKED_SCORE = 0.75;
const PASSED_OVER_SCORE = 0.3;
const OPTION_CHARACTERS = 300;
/** A pick with at most this many words says nothing else: only the label, and that it is picked. */
const BARE_WORDS = 7;

/** The field that holds the option's label. */
const LABEL = "label";
export const CHOICES: readonly Kind[] = ["decision", "rejection"];

/** Does the user only name an option? Then the option says what is meant. */
const isBarePick = (subject: Subject, { takenBy }: Signals): boolean =>
  subject.words.folded.length <= BARE_WORDS && takenBy(subject).length > 0;

/** The items of a text. The option that it states replaces its other choices; a bare pick gives no choice. */
export function withPicks(
  subject: Subject,
  items: readonly Item[],
  rules: RuleSet,
  signals: Signals,
  trace?: Tracer,
): readonly Item[] {
  const pick = signals.pickOf(subject);
  const isBare = !pick && items.some(isChoice) && isBarePick(subject, signals);
  if (!pick && !isBare) return items;
  for (const { evidence } of items.filter(isChoice))
    trace?.({ rule: evidence.rule, outcome: "outdone", why: pick?.options.id ?? "picked", evidence });
  const others = items.filter((item) => !isChoice(item));
  const giver = pick && giverOf(pick, rules);
  const item = giver && toItem(subject, giver, matchOf(pick, subject), rules.categories);
  if (!pick || !item || typeof item === "string") return others;
  const words = evidenceOf(pick.by, giver.id);
  trace?.({ rule: giver.id, outcome: "fired", why: `${pick.state}, ${words.source}: ${words.quote}`, evidence: item.evidence });
  // The user vouches for it: the words that picked it are evidence too.
  return [...others, { ...item, by: pick.by.source.by, also: [words] }];
}

const isChoice = ({ kind }: Item) => CHOICES.includes(kind);

function giverOf({ state, options, label }: Pick, { rules, nothing }: RuleSet): Giver {
  const isPicked = state === "picked";
  return {
    id: options.id,
    order: rules.length,
    emit: isPicked ? "decision" : "rejection",
    set: { [LABEL]: label },
    score: isPicked ? PICKED_SCORE : PASSED_OVER_SCORE,
    length: { min: 0, max: OPTION_CHARACTERS },
    nothing,
  };
}

/** The option without its label. */
function matchOf({ from }: Pick, { segment }: Subject): Match {
  const end = segment.text.length;
  return { start: from, end, slots: [{ name: "text", type: "clause", start: from, end }] };
}
