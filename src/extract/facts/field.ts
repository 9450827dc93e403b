// Cleans up what a slot captured, so that it can be read on its own.
import type { Match } from "../../rules/phrase/match-phrase.js";

/** Maximum number of code points in a concept after normalising. Longer ones are dropped. */
const CONCEPT_CODE_POINTS = 100;

const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", "”": "“", "»": "«" };

/** Drops one final stop, and closing marks that were opened outside. Keeps a question mark. */
export function tidyClause(text: string): string {
  let result = withinQuotation(text.trim());
  let stopped = false;
  for (;;) {
    const last = result.at(-1) ?? "";
    if (isLoose(result, last) || /[,:]/.test(last)) result = result.slice(0, -1).trimEnd();
    else if (!stopped && /[.!。！]/.test(last) && !result.endsWith("...")) {
      result = result.slice(0, -1).trimEnd();
      stopped = true;
    } else return result;
  }
}

/** A quotation that ends inside the clause started before it: drops what follows the quotation. */
function withinQuotation(text: string): string {
  const marks = text.match(/"/g)?.length ?? 0;
  return marks % 2 === 1 && text.search(/"(?!\w)/) > 0 ? text.slice(0, text.indexOf('"')) : text;
}

/** A word or path without backticks, quotes and the punctuation around it. */
export const tidyWord = (text: string): string => text.replace(/^[`"'(]+/, "").replace(/[.,;:!?`"')]+$/, "");

function isLoose(text: string, closer: string): boolean {
  if (closer === '"') return (text.match(/"/g)?.length ?? 0) % 2 === 1;
  const opener = CLOSERS[closer];
  if (opener === undefined) return false;
  let depth = 0;
  let loose = false;
  for (const mark of text) {
    if (mark === opener) depth++;
    // "b) the other one (if need be)": a mark that nothing opened closes nothing.
    else if (mark === closer) {
      loose = depth === 0;
      if (!loose) depth--;
    }
  }
  return loose;
}

const CUT = " …";

/** Cuts at the end of a word and marks the cut: half a word may be another word. A text without blanks is just cut. */
export function cutAtWord(text: string, codePoints: number): string {
  const hard = cut(text, codePoints);
  if (hard === text) return text;
  const head = cut(text, codePoints - CUT.length);
  const end = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  return end > head.length / 2 ? head.slice(0, end).replace(/[\s,;:—–-]+$/, "") + CUT : hard;
}

/** Cuts by code point, never inside a surrogate pair. */
export function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const points = [...text];
  return points.length <= codePoints ? text : points.slice(0, codePoints).join("").trimEnd();
}

// Normalises concepts, so that [[Node.js]] and [[node.js]] are the same.

/** NFC, lower case in any locale; blanks and underscores become "-". Keeps letters with their marks, digits and "-", and + and #
 * at the end of a word (c++, c#). Undefined when nothing is left, or too much. */
export function toConcept(text: string): string | undefined {
  if (text.length > CONCEPT_CODE_POINTS * 8) return undefined;
  const form = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_]+/gu, "-")
    .replace(/(\p{L}\p{M}*|[\p{N}+#-])|./gsu, "$1")
    .replace(/[+#](?![+#]*(?:-|$))|(?<![\p{L}\p{M}\p{N}+#])[+#]+/gu, "")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "")
    .normalize("NFC");
  const length = [...form].length;
  return length > 0 && length <= CONCEPT_CODE_POINTS ? form : undefined;
}

// What the slots of a match captured, each cleaned up.

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

/** Drops a bracket that the clause cuts: of "pnpm (not npm) here", "pnpm (" is "pnpm", and "npm) here" is "npm". */
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

const isOpenBefore = (text: string, start: number) => {
  const before = text.slice(0, start);
  return before.lastIndexOf("(") > before.lastIndexOf(")");
};
