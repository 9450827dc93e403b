// Numbers that a tool printed before the assistant told them: they are measured, not remembered.
import { SEEN_CHARACTERS, SEEN_MESSAGES } from "../limits.js";
import type { Item, Kind, Session } from "../model.js";

const TOLD: readonly Kind[] = ["finding", "done"];
/** One digit stands in any output. */
const NUMBER = /(?<![\p{L}\p{N}_.#-])(?:\p{N}+[.,]\p{N}+|\p{N}{2,})(?![\p{N}_-])/gu;

/** With the call that printed all of an item's numbers, as `message#call`, in the field `measured`. */
export function markMeasured(items: readonly Item[], { messages }: Session): readonly Item[] {
  let places: Map<string, number> | undefined;
  return items.map((item) => {
    if (item.by !== "assistant" || !TOLD.includes(item.kind)) return item;
    const numbers = item.text.match(NUMBER);
    if (!numbers) return item;
    places ??= new Map(messages.map(({ id }, index) => [id, index]));
    const at = places.get(item.evidence.source) ?? 0;
    for (let index = at - 1; index >= Math.max(0, at - SEEN_MESSAGES); index--) {
      const { id, toolCalls } = messages[index] as (typeof messages)[number];
      const tool = toolCalls.findIndex(({ output }) => {
        const printed = new Set(output.slice(0, SEEN_CHARACTERS).match(NUMBER));
        return numbers.every((number) => printed.has(number));
      });
      if (tool >= 0) return { ...item, fields: { ...item.fields, measured: `${id}#${tool}` } };
    }
    return item;
  });
}
