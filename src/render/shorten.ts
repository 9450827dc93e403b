// A long statement, cut at the end of a clause where there is one, and never so that its restriction is lost: without
// "unless I say so" it would say more than was said.
import { RESTRICTION_CHARACTERS, STATEMENT_CHARACTERS } from "../limits.js";
import { literal } from "../rules/literal.js";

const CLAUSE_ENDS = ["; ", ", ", ": ", " — ", " – ", ") "];
const CUT = " …";
/** Where there is less room than this, what restricts a restriction gives way. */
const LEAST_ROOM = RESTRICTION_CHARACTERS / 2;

export type Shorten = (text: string, most?: number) => string;

/** Without restrictions, for what is no statement, such as a command. */
export const shorten: Shorten = (text, most = STATEMENT_CHARACTERS) => cutText(text, most, undefined);

const made = new WeakMap<readonly string[], Shorten>();

/** `restrictions` are the words with which begins what must not be cut off. */
export function shortenerOf(restrictions: readonly string[]): Shorten {
  const before = made.get(restrictions);
  if (before) return before;
  const begins = toPattern(restrictions);
  const shortener: Shorten = (text, most = STATEMENT_CHARACTERS) => cutText(text, most, begins);
  made.set(restrictions, shortener);
  return shortener;
}

function toPattern(phrases: readonly string[]): RegExp | undefined {
  const words = phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== "");
  if (words.length === 0) return undefined;
  // Of two that begin alike the longer one is meant.
  const either = words.sort((a, b) => b.length - a.length).map((phrase) => literal(phrase).replace(/\s+/g, "\\s+"));
  // Without the flag u and what it knows of letters: an expression of both takes longer to make than all else here.
  return new RegExp(`(?:${either.join("|")})(?![\\w\`-])`, "gi");
}

function cutText(text: string, most: number, begins: RegExp | undefined): string {
  if (text.length <= most) return text;
  const end = headEnd(text, most - CUT.length);
  const lost = begins && firstLost(text, end, begins);
  if (lost === undefined) return tidy(text.slice(0, end)) + CUT;
  // What stands before a restriction and the restriction share the room; what one of them leaves is the other's.
  const room = Math.max(Math.floor(most / 2), most - lost);
  const rest = cutText(text.slice(lost), room, room < LEAST_ROOM ? undefined : begins);
  const left = most - rest.length;
  if (lost <= left) return text.slice(0, lost) + rest;
  const before = text.slice(0, headEnd(text.slice(0, lost), left - CUT.length - 1));
  return `${tidy(before)}${CUT} ${rest}`;
}

/** Where the longest beginning of at most so many characters ends: at a clause, at a word, or between two characters. */
function headEnd(text: string, most: number): number {
  const head = text.slice(0, Math.max(0, most));
  const clause = Math.max(...CLAUSE_ENDS.map((mark) => head.lastIndexOf(mark) + 1));
  const end = clause > most / 2 ? clause : head.lastIndexOf(" ");
  return end > most / 2 ? end : head.length - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
}

/** What ends with one of these goes on with what follows. */
const BEFORE = /[\p{L}\p{N}_'’`-]$/u;
const LETTER = /^[\p{L}\p{N}]/u;

/** The first restriction that would end behind the cut, unless enough of it stands before. */
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

const tidy = (head: string) => head.replace(/[\s,;:—–]+$/, "");

/** With the end of the code and of the brackets that a cut took from it, which are no part of what a line is weighed by. */
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
    // "b) the other one": what nothing opened.
    else if (mark === ")" && open > 0) open--;
  }
  return open;
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
