// What the slots of a match took, each made fit to stand by itself.

import type { Match } from "./condition.js";
import { tidyClause, tidyWord } from "./field.js";

export function slotValues({ slots }: Match, text: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, type, start, end } of slots) {
    if (type === "gap" || Object.hasOwn(values, name)) continue;
    const isClause = type === "clause" || type === "capture";
    const raw = (isClause ? withinBrackets(text, start, end) : text.slice(start, end)).replace(/\s+/g, " ");
    const value = isClause ? tidyClause(raw) : type === "word" || type === "path" ? tidyWord(raw) : raw.trim();
    if (value !== "") values[name] = value;
  }
  return values;
}

/** A bracket that a clause tears is left with what is in it: of "pnpm (not npm) here", "pnpm (" is "pnpm", and "npm) here" is "npm". */
function withinBrackets(text: string, start: number, end: number): string {
  const clause = text.slice(start, end);
  if (!clause.includes("(") && !clause.includes(")")) return clause;
  const open: number[] = [];
  for (const { index, 0: mark } of clause.matchAll(/[()]/g)) {
    if (mark === "(") open.push(index);
    else if (open.pop() === undefined) return isOpenBefore(text, start) && index > 0 ? clause.slice(0, index) : clause;
  }
  const [torn] = open;
  return torn !== undefined && torn > 0 && text.includes(")", end) ? clause.slice(0, torn) : clause;
}

const isOpenBefore = (text: string, start: number) => text.lastIndexOf("(", start - 1) > text.lastIndexOf(")", start - 1);
