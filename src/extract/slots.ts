// What the slots of a match took, each made fit to stand by itself.

import type { Match } from "./condition.js";
import { tidyClause, tidyWord } from "./field.js";

export function slotValues({ slots }: Match, text: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, type, start, end } of slots) {
    if (type === "gap" || Object.hasOwn(values, name)) continue;
    const raw = text.slice(start, end).replace(/\s+/g, " ");
    const value =
      type === "clause" || type === "capture" ? tidyClause(raw) : type === "word" || type === "path" ? tidyWord(raw) : raw.trim();
    if (value !== "") values[name] = value;
  }
  return values;
}
