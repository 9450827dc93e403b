// Finds where the entries and hand-offs of a log begin and end.
import { defined } from "../../text/json.js";
import { type EntryDate, entryDate, isoDate } from "./entry-date.js";

/** Candidate lines that are checked at each end of a log. */
const HEADS_TRIED = 200;

/** Characters of a line in which the head of an entry is searched. */
export const ENTRY_HEAD_CHARACTERS = 200;

export interface LogHead {
  readonly start: number;
  readonly end: number;
  readonly date?: EntryDate;
  /** The entry's own number, before any other text of the line. */
  readonly number?: number;
  /** The first number that is not part of the date. */
  readonly anyNumber?: number;
}

export interface LogTest {
  /** Can a line that starts with this character begin an entry? */
  readonly mayBegin: (character: string) => boolean;
  /** Does the line begin an entry, or a hand-off? Heading marks are reduced to one `#`, and a date is YYYY-MM-DD. */
  readonly begins: (line: string) => boolean;
  readonly handsOff: (line: string) => boolean;
}

interface LogLine {
  readonly start: number;
  /** Number of heading marks; 0 for any other line. */
  readonly level: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
/** An emoji or bullet before the words of a heading. */
const MARK = /^# [^\p{L}\p{N}[]+/u;

interface LogMarks {
  readonly heads: readonly LogHead[];
  readonly handoffs: readonly { readonly start: number; readonly end: number }[];
}

export const NO_MARKS: LogMarks = { heads: [], handoffs: [] };

/** In a long log only both ends are checked, because the newest entries are at one of them. */
export function findMarks(text: string, test: LogTest): LogMarks {
  const lines = candidates(text, test);
  const near = lines.length <= 2 * HEADS_TRIED ? lines : [...lines.slice(0, HEADS_TRIED), ...lines.slice(-HEADS_TRIED)];
  const said = ({ start, level }: LogLine) => {
    const line = lineAt(text, start);
    return dated((level > 0 ? line.replace(HEADING, "# ").replace(MARK, "# ") : line).replace(/[*_]{2,}/g, ""));
  };
  const handing = new Set(near.filter((line) => test.handsOff(said(line))));
  const begins = near.filter((line) => !handing.has(line) && test.begins(said(line)));
  const level = usualLevel(begins);
  const entries = new Set(begins.filter((line) => line.level === level));
  /** It ends at the next entry, or at any other heading of the same or a higher level. */
  const endOf = (line: LogLine, ends: (other: LogLine) => boolean) =>
    near.slice(near.indexOf(line) + 1).find((other) => entries.has(other) || ends(other))?.start ?? text.length;
  return {
    heads: [...entries].map((line) => ({
      ...describe(lineAt(text, line.start)),
      start: line.start,
      end: endOf(line, (other) => other.level > 0 && other.level <= level),
    })),
    // Below a line that is no heading, any heading ends it.
    handoffs: [...handing].map((line) => ({
      start: line.start,
      end: endOf(line, (other) => handing.has(other) || (other.level > 0 && other.level <= (line.level || other.level))),
    })),
  };
}

/** Entries share one heading level: the most frequent one, and in a tie the deeper one. */
function usualLevel(lines: readonly LogLine[]): number {
  const counts = new Map<number, number>();
  for (const { level } of lines) counts.set(level, (counts.get(level) ?? 0) + 1);
  const [[level] = [0]] = [...counts].sort(([a, many], [b, few]) => few - many || b - a);
  return level;
}

const lineAt = (text: string, start: number) => text.slice(start, start + ENTRY_HEAD_CHARACTERS).split(/[\r\n]/, 1)[0] as string;

function dated(line: string): string {
  const date = isoDate(line);
  return date ? line.slice(0, date.start) + date.iso + line.slice(date.end) : line;
}

function describe(line: string): Omit<LogHead, "start" | "end"> {
  const date = entryDate(line);
  const said = date ? `${line.slice(0, date.start)} ${line.slice(date.end)}` : line;
  const own = numberIn(/^[^:()—–]*?(?=\s-|[:()—–]|$)/.exec(said)?.[0] ?? "");
  return defined({ date, number: own, anyNumber: numberIn(said) });
}

function numberIn(text: string): number | undefined {
  const found = /(?<![\p{L}\d.])\d{1,6}(?![\p{L}\d.])/u.exec(text)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Headings, and lines that can begin an entry: not indented, not in a fence or comment. */
function candidates(text: string, { mayBegin }: LogTest): readonly LogLine[] {
  const lines: LogLine[] = [];
  let fence = "";
  // End of the last comment that was searched; negative if no comment is closed any more.
  let close = 0;
  for (let start = 0; start < text.length; ) {
    const first = text[start] as string;
    if (first === "\n") {
      start++;
      continue;
    }
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const mark = first === "`" || first === "~" ? /^(`{3,}|~{3,})/.exec(text.slice(start, start + 20))?.[0] : undefined;
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
    } else if (mark) fence = mark;
    else if (first === "<" && text.startsWith("<!--", start)) {
      if (close >= 0 && close < start) close = text.indexOf("-->", start);
      if (close > end) {
        start = close + 3;
        continue;
      }
    } else if (first === "#" || (first !== "\r" && mayBegin(first))) {
      const level = first === "#" ? (HEADING.exec(text.slice(start, start + 12))?.[1]?.length ?? 0) : 0;
      lines.push({ start, level });
    }
    start = end + 1;
  }
  return lines;
}
