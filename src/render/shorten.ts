// A long statement, cut at the end of a clause where there is one.
import { STATEMENT_CHARACTERS } from "../limits.js";

const CLAUSE_ENDS = ["; ", ", ", ": ", " — ", " – ", ") "];

export function shorten(text: string, most = STATEMENT_CHARACTERS): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const clause = Math.max(...CLAUSE_ENDS.map((mark) => head.lastIndexOf(mark) + 1));
  const end = clause > most / 2 ? clause : head.lastIndexOf(" ");
  const cutAt = end > most / 2 ? end : most - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
  return `${text.slice(0, cutAt).replace(/[\s,;:—–]+$/, "")} …`;
}

/**
 * Without ticks, which cost as much as words, and without the mark of an item; a first mark that would say something else about
 * the line is escaped.
 */
export const plain = (text: string) =>
  text
    .replaceAll("`", "")
    .replace(/^(?:[-*+] +)+(?=\S)/, "")
    .replace(/^(?=[>#]|[-*+] )/, "\\");
