// What a text says something about: the {what} of the signal by which packs know it.
import type { RuleSet } from "../rules/rule-set.js";
import { firstPhrase } from "./condition.js";
import type { Subject } from "./subject.js";

export function namedThing({ segment, words }: Subject, signal: string, rules: RuleSet): string | undefined {
  const slots = firstPhrase(rules.signals.get(signal)?.match ?? [], words)?.slots ?? [];
  const what = slots.find(({ name }) => name === "what");
  return what && segment.text.slice(what.start, what.end);
}
