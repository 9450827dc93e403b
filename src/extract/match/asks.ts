// Does a message of the user ask for something, or does it only greet, thank or agree?
import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { matcherFor } from "./matcher.js";
import { readSource } from "./read-source.js";
import { TALK } from "./selector.js";
import { toSubject } from "./subject.js";

/** Signals of the packs for words that ask for nothing. */
const ASKS_NOTHING: readonly AskedSignal[] = ["greets", "only-answers", "only-thanks"];

/** A longer message says more than that. */
const MOST_CHARACTERS = 200;

export const createAsks = (rules: RuleSet) => (text: string) => {
  if (text.length > MOST_CHARACTERS) return true;
  const source: Source = { id: "", role: "user", by: "user", text, places: new Set(), ordinal: 0 };
  const said = readSource(source, rules, {}).segments.filter(({ node }) => TALK.has(node));
  const asksNothing = said.map((segment) =>
    ASKS_NOTHING.some((name) => matcherFor(rules).holds(toSubject(source, segment), name)),
  );
  return asksNothing.includes(false);
};
