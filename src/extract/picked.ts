// An option that the user took is a choice in the option's own words; those beside it are ruled out.
import type { Evidence, Item, Kind } from "../model.js";
import type { Words } from "../rules/words.js";
import type { Match } from "./condition.js";
import type { Giver } from "./find.js";
import type { Pick } from "./options.js";
import type { Subject } from "./subject.js";

/** What the user said is sure; what he left is ruled out by that alone. */
export const PICKED_SCORE = 0.75;
const PASSED_OVER_SCORE = 0.3;
/** So many words that take an option say nothing beside: its name, and that it is taken. */
const BARE_WORDS = 7;

/** The field that holds the option's name. */
export const LABEL = "label";
export const CHOICES: readonly Kind[] = ["decision", "rejection"];

/** What stands for the option as a rule does for others. */
export function giverOf({ state, options, label }: Pick, order: number, nothing: Giver["nothing"]): Giver {
  const isPicked = state === "picked";
  return {
    id: options.id,
    order,
    emit: isPicked ? "decision" : "rejection",
    set: { [LABEL]: label },
    score: isPicked ? PICKED_SCORE : PASSED_OVER_SCORE,
    length: { min: 0, max: 300 },
    nothing,
  };
}

/** The option without its name. */
export function matchOf({ from }: Pick, { segment }: Subject): Match {
  const end = segment.text.length;
  return { start: from, end, slots: [{ name: "text", type: "clause", start: from, end }] };
}

/** The user vouches for it, with the words that took it. */
export const byUser = (item: Item, { by: { source } }: Pick, words: Evidence): Item => ({
  ...item,
  by: source.by,
  also: [words],
});

export const isFewWords = ({ folded }: Words) => folded.length <= BARE_WORDS;

/** Words of the user that only name an option: the option says what they mean. */
export const isBarePick = (subject: Subject) =>
  isFewWords(subject.words) && (subject.around?.picks.taken(subject).length ?? 0) > 0;
