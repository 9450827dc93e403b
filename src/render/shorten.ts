// Cuts long statements, if possible at the end of a clause. Never loses a restriction: without "unless I say so", the
// statement would claim more than was said.

import { literal } from "../text/forms.js";
import { rememberFor } from "../text/remember.js";

/** Most characters that a cut leaves of a restriction ("unless …"): enough to understand it. */
const RESTRICTION_CHARACTERS = 60;

/** Longest statement in a brief, with the two characters that mark a cut. */
export const STATEMENT_CHARACTERS = 142;

const CLAUSE_ENDS = ["; ", ", ", ": ", " — ", " – ", ") ", " | "];
const CUT = " …";
/** With less room than this, a restriction inside a restriction may be cut off. */
const LEAST_ROOM = RESTRICTION_CHARACTERS / 2;

/** Pasted JSON is cut off, if there are so many characters before it. */
const LEAST_BEFORE_JSON = 16;

export type Shorten = (text: string, most?: number) => string;

/** Ignores restrictions: for texts that are not statements, such as commands. */
export const shorten: Shorten = (text, most = STATEMENT_CHARACTERS) => cutText(text, most, undefined);

/** A shortener that keeps restrictions. `restrictions`: the words that begin one. */
export const shortenerOf = rememberFor((restrictions: readonly string[]): Shorten => {
  const begins = toPattern(restrictions);
  return (text, most = STATEMENT_CHARACTERS) => cutText(text, most, begins);
});

function toPattern(phrases: readonly string[]): RegExp | undefined {
  const words = phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== "");
  if (words.length === 0) return undefined;
  // Longer phrases first, so that they win over their own beginnings.
  const either = words.sort((a, b) => b.length - a.length).map((phrase) => literal(phrase).replace(/\s+/g, "\\s+"));
  // No flag u and no Unicode classes: compiling them together would take longer than everything else here.
  return new RegExp(`(?:${either.join("|")})(?![\\w\`-])`, "gi");
}

function cutText(text: string, most: number, begins: RegExp | undefined): string {
  if (text.length <= most) return text;
  const end = headEnd(text, most - CUT.length);
  const lost = begins && firstLost(text, end, begins);
  if (lost === undefined) return tidy(text.slice(0, end)) + CUT;
  // The restriction and the text before it share the room; one gets what the other does not need.
  const room = Math.max(Math.floor(most / 2), most - lost);
  const rest = cutText(text.slice(lost), room, room < LEAST_ROOM ? undefined : begins);
  const left = most - rest.length;
  if (lost <= left) return text.slice(0, lost) + rest;
  const before = text.slice(0, headEnd(text.slice(0, lost), left - CUT.length - 1));
  return `${tidy(before)}${CUT} ${rest}`;
}

/** Where to cut a text to at most `most` characters: at a clause, at a word, or between two characters. */
function headEnd(text: string, most: number): number {
  const head = text.slice(0, Math.max(0, most));
  const json = head.indexOf('{"');
  if (json > LEAST_BEFORE_JSON) return json;
  const clause = Math.max(...CLAUSE_ENDS.map((mark) => head.lastIndexOf(mark) + 1));
  const end = clause > most / 2 ? clause : head.lastIndexOf(" ");
  return end > most / 2 ? end : head.length - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
}

/** After one of these characters, a word continues, so no restriction begins. */
const BEFORE = /[\p{L}\p{N}_'’`-]$/u;
const LETTER = /^[\p{L}\p{N}]/u;

/** The first restriction that the cut would remove, unless enough of it is before the cut. */
function firstLost(text: string, end: number, begins: RegExp): number | undefined {
  for (const { index, 0: words } of text.matchAll(begins)) {
    const said = index + words.length;
    if (index === 0 || BEFORE.test(text.slice(Math.max(0, index - 2), index)) || LETTER.test(text.slice(said, said + 2)))
      continue;
    const ends = CLAUSE_ENDS.map((mark) => text.indexOf(mark, said + 1)).filter((at) => at >= 0);
    if (Math.min(...ends, text.length, index + RESTRICTION_CHARACTERS) > end) return index;
  }
  return undefined;
}

const tidy = (head: string) => head.replace(/[\s,;:—–|]+$/, "");

/** Closes the code span and the brackets that a cut left open. Done late, so that ranking does not count them. */
export function closeCut(text: string): string {
  if (!text.endsWith(CUT)) return text;
  const head = text.slice(0, -CUT.length);
  const code = head.split("`").length % 2 === 0 ? "`" : "";
  return head + code + CUT + ")".repeat(openBrackets(head));
}

function openBrackets(text: string): number {
  let open = 0;
  for (const mark of text) {
    if (mark === "(") open++;
    // Ignore a bracket that was never opened: "b) the other one".
    else if (mark === ")" && open > 0) open--;
  }
  return open;
}

/** Removes backticks, which cost as many tokens as words, and list markers. Quotes what would read as a heading or quotation. */
export const plain = (text: string) =>
  /^[-*+>#]|`/.test(text)
    ? text
        .replace(/\\?`/g, "")
        .replace(/^(?:[-*+] +)+(?=\S)/, "")
        .replace(/^(?:>|#{1,6} ).*/s, '"$&"')
    : text;
