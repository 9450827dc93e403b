// Reads a project's notes: splits logs into entries, newest first, and reads them line by line and item by item.
import { CUT_SEARCH_CHARACTERS, LINE_CHARACTERS, NOTES_CHARACTERS } from "../../limits.js";
import type { Segment } from "../../model.js";
import { readMarkdown } from "../markdown/read-markdown.js";
import { WHOLE } from "../markdown/visible.js";

/** Entries of a log that are read, newest first: a week's work, of which a continuation shows a few lines. */
const NOTES_ENTRIES = 20;

/** A part of the notes that is read separately; `entry` counts from the newest. */
export interface NotesStretch {
  readonly start: number;
  readonly end: number;
  readonly entry?: number;
}

export interface Stretches {
  readonly stretches: readonly NotesStretch[];
  /** Characters of older entries that are not read. */
  readonly left: number;
}

/** Reads whole paragraphs and items; they are split into sentences elsewhere. */
export function readNotes(text: string, { stretches }: Stretches): readonly Segment[] {
  return stretches.flatMap(({ start, end, entry }) =>
    readMarkdown(withoutBanners(unwrapped(text.slice(start, end))), WHOLE, { notes: true }).segments.map((segment, index) => ({
      ...segment,
      ...boxOf(segment),
      runs: segment.runs.map((run) => ({ ...run, source: run.source + start })),
      start: segment.start + start,
      end: segment.end + start,
      ...(entry !== undefined && { entry, head: index === 0 }),
    })),
  );
}

const DONE = /✅|☑|✔|🗹|^~~|~~[\s.)]*$/u;
const OPEN = /^(?:⬜|☐|🔲|🔳)/u;

/** A tick, a strike-through or an empty box in the text counts as a task box. Everything under a ticked heading is done. */
function boxOf({ task, text, headings, node }: Segment): Pick<Segment, "task"> {
  if (node === "heading" || node === "link") return {};
  if (headings.some((heading) => DONE.test(heading.trim()))) return { task: "done" };
  if (task) return {};
  if (DONE.test(text)) return { task: "done" };
  return OPEN.test(text) ? { task: "open" } : {};
}

/** Removes a fence around the whole file, which some tools add. */
function unwrapped(text: string): string {
  const [opening] = /^\s*`{3,}(?:markdown|md)[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return text;
  const closing = /\n`{3,}\s*$/.exec(text)?.[0] ?? "";
  const blank = (part: string) => part.replace(/[^\r\n]/g, " ");
  return blank(opening) + text.slice(opening.length, text.length - closing.length) + blank(closing);
}

/** A title between two lines of marks is a heading, so the upper line is blanked. */
function withoutBanners(text: string): string {
  return text.replace(/^(?:={5,}|-{5,})[ \t]*(?=\r?\n[^\r\n=-][^\r\n]*\r?\n(?:={5,}|-{5,})[ \t]*\r?$)/gm, (line) =>
    " ".repeat(line.length),
  );
}

/** Selects the entries to read, newest first, as far as there is room. */
export function cutEntries(text: string, test: EntryTest | undefined): Stretches {
  const heads = test ? entryHeads(unwrapped(text), test) : [];
  const [first] = heads;
  if (first === undefined) return bounded(text, [{ start: 0, end: text.length }]);
  const entries = newestFirst(heads).map(({ start, end }, entry) => ({ start, end, entry }));
  return bounded(text, [...gaps(heads, text.length), ...entries]);
}

/** The text before, between and after the entries. */
function gaps(heads: readonly Head[], length: number): readonly NotesStretch[] {
  const starts = [0, ...heads.map(({ end }) => end)];
  const ends = [...heads.map(({ start }) => start), length];
  return starts.flatMap((start, index) => {
    const end = ends[index] as number;
    return end > start ? [{ start, end }] : [];
  });
}

function bounded(text: string, stretches: readonly NotesStretch[]): Stretches {
  const kept: NotesStretch[] = [];
  let room = NOTES_CHARACTERS;
  let left = 0;
  for (const stretch of stretches) {
    const reach = stretch.start + ((stretch.entry ?? 0) < NOTES_ENTRIES ? Math.max(room, 0) : 0);
    const end = reach < stretch.end ? betweenWords(text, stretch.start, reach) : stretch.end;
    room -= stretch.end - stretch.start;
    left += stretch.end - end;
    for (const piece of withoutLongLines(text, { ...stretch, end })) {
      left -= piece.end - piece.start;
      kept.push(piece);
    }
    left += end - stretch.start;
  }
  return { stretches: kept, left };
}

/** Cuts between words: half a secret would not be recognised, and half a surrogate pair is a broken character. */
function betweenWords(text: string, start: number, end: number): number {
  const from = Math.max(start, end - CUT_SEARCH_CHARACTERS);
  const kept = text.slice(from, end);
  const blank = kept.includes("\n") ? kept.lastIndexOf("\n") : kept.lastIndexOf(" ");
  if (blank >= 0) return from + blank + 1;
  return /[\ud800-\udbff]$/.test(kept) ? end - 1 : end;
}

/** Nobody writes such long lines by hand, so only their beginning is read. */
function withoutLongLines(text: string, stretch: NotesStretch): readonly NotesStretch[] {
  const pieces: NotesStretch[] = [];
  let { start } = stretch;
  // If there is a line end within reach, all lines before it are short enough.
  for (let at = start; at + LINE_CHARACTERS < stretch.end; ) {
    const reach = text.lastIndexOf("\n", at + LINE_CHARACTERS);
    if (reach >= at) at = reach + 1;
    else {
      pieces.push({ ...stretch, start, end: betweenWords(text, at, at + LINE_CHARACTERS) });
      const end = text.indexOf("\n", at + LINE_CHARACTERS);
      start = end < 0 || end > stretch.end ? stretch.end : end;
      at = start;
    }
  }
  if (stretch.end > start) pieces.push({ ...stretch, start });
  return pieces;
}

/** Sorts by date, then by number, then by position in the log. */
function newestFirst(heads: readonly Head[]): readonly Head[] {
  const inOrder = isNewestLast(heads) ? [...heads].reverse() : [...heads];
  if (inOrder.some(({ date }) => date === undefined)) return inOrder;
  const newer = (a: string | number, b: string | number) => (a < b ? 1 : a > b ? -1 : 0);
  return inOrder.sort((a, b) => newer(a.date ?? "", b.date ?? "") || (a.number && b.number ? newer(a.number, b.number) : 0));
}

/** Do the dates, or else the numbers, mostly rise? If there are neither, the first entry is the newest. */
function isNewestLast(heads: readonly Head[]): boolean {
  const rise = (values: readonly (string | number)[]) =>
    values.slice(1).reduce<number>((sum, value, index) => {
      const before = values[index] as typeof value;
      return sum + (value > before ? 1 : value < before ? -1 : 0);
    }, 0);
  const dates = rise(heads.flatMap(({ date }) => date ?? []));
  return (dates === 0 ? rise(heads.flatMap(({ anyNumber }) => anyNumber ?? [])) : dates) > 0;
}

// Finds where the entries of a log begin and end.

/** Candidate lines that are checked at each end of a log. */
const HEADS_TRIED = 200;

/** Characters of a line in which the head of an entry is searched. */
const ENTRY_HEAD_CHARACTERS = 200;

interface Head {
  readonly start: number;
  readonly end: number;
  /** YYYY-MM-DD, if the line has a date. */
  readonly date?: string;
  /** The entry's own number, before any other text of the line. */
  readonly number?: number;
  /** The first number that is not part of the date. */
  readonly anyNumber?: number;
}

export interface EntryTest {
  /** Can a line that starts with this character begin an entry? */
  readonly mayBegin: (character: string) => boolean;
  /** Does the line begin an entry? Heading marks are reduced to one `#`. */
  readonly begins: (line: string) => boolean;
}

interface Line {
  readonly start: number;
  /** Number of heading marks; 0 for any other line. */
  readonly level: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
const DATE = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;

/** In a long log only both ends are checked, because the newest entries are at one of them. */
function entryHeads(text: string, test: EntryTest): readonly Head[] {
  const lines = candidates(text, test);
  const begins = ({ start, level }: Line) => {
    const line = lineAt(text, start);
    return test.begins((level > 0 ? line.replace(HEADING, "# ") : line).replace(/[*_]{2,}/g, ""));
  };
  const near = lines.length <= 2 * HEADS_TRIED ? lines : [...lines.slice(0, HEADS_TRIED), ...lines.slice(-HEADS_TRIED)];
  const found = new Set(near.filter(begins));
  const level = usualLevel([...found]);
  return near.flatMap((line, index): readonly Head[] => {
    if (!found.has(line) || line.level !== level) return [];
    // An entry ends at the next entry, or at any other heading of the same or a higher level.
    const next = near
      .slice(index + 1)
      .find((one) => (found.has(one) && one.level === level) || (one.level > 0 && one.level <= level));
    return [{ ...describe(lineAt(text, line.start)), start: line.start, end: next?.start ?? text.length }];
  });
}

/** Entries share one heading level: the most frequent one, and in a tie the deeper one. */
function usualLevel(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const { level } of lines) counts.set(level, (counts.get(level) ?? 0) + 1);
  const [[level] = [0]] = [...counts].sort(([a, many], [b, few]) => few - many || b - a);
  return level;
}

const lineAt = (text: string, start: number) => text.slice(start, start + ENTRY_HEAD_CHARACTERS).split(/[\r\n]/, 1)[0] as string;

function describe(line: string): Omit<Head, "start" | "end"> {
  const [, year, month = "", day = ""] = DATE.exec(line) ?? [];
  const said = line.replace(DATE, "");
  const own = numberIn(/^[^:()—–]*?(?=\s-|[:()—–]|$)/.exec(said)?.[0] ?? "");
  const any = numberIn(said);
  return {
    ...(year && { date: `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` }),
    ...(own !== undefined && { number: own }),
    ...(any !== undefined && { anyNumber: any }),
  };
}

function numberIn(text: string): number | undefined {
  const found = /(?<![\p{L}\d.])\d{1,6}(?![\p{L}\d.])/u.exec(text)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Headings, and lines that can begin an entry: not indented, not in a fence or comment. */
function candidates(text: string, { mayBegin }: EntryTest): readonly Line[] {
  const lines: Line[] = [];
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
