// A session to run through what a compaction runs through. Any text will do, and the templates are at hand.
import type { Message, Session, ToolCall } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Tool } from "../rules/tool-set.js";

/** Each round says something else: what was read before is only looked up. */
export function rehearsal({ templates, tools }: RuleSet, round: number): Session {
  const texts = [...templates.values()].flatMap(({ text }) => text.split("\n\n"));
  const known = [...tools];
  const messages = texts.map((text, index): Message => {
    const [call] = known.slice(index % known.length);
    return {
      id: `${index}`,
      role: index % 2 ? "assistant" : "user",
      text: `${text} ${round}.`,
      toolCalls: index % 2 && call ? [toCall(...call, `${round}/${index}`, text)] : [],
    };
  });
  return { id: "", format: "", messages };
}

function toCall(name: string, { file, command }: Tool, path: string, output: string): ToolCall {
  return { name, input: Object.fromEntries([...file, ...command].map((key) => [key, path])), output, status: "completed" };
}
