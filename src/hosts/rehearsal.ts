// A session to run through what a compaction runs through. Any text will do, and the templates are at hand.
import type { Session } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";

/** Each round says something else: what was read before is only looked up. */
export function rehearsal({ templates }: RuleSet, round: number): Session {
  const texts = [...templates.values()].flatMap(({ text }) => text.split("\n\n"));
  const messages = texts.map((text, index) => ({
    id: `${index}`,
    role: index % 2 ? ("assistant" as const) : ("user" as const),
    text: `${text} ${round}.`,
    toolCalls: [],
  }));
  return { id: "", format: "", messages };
}
