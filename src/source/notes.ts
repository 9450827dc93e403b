// A project's notes: cut at the entries of a log, newest first, and read line by line and item by item.
import { CUT_SEARCH_CHARACTERS, LINE_CHARACTERS, NOTES_CHARACTERS, NOTES_ENTRIES } from "../limits.js";
import type { Segment } from "../model.js";
import { type EntryTest, entryHeads, type Head } from "./entry-heads.js";
import { readMarkdown } from "./markdown.js";
import { WHOLE } from "./visible.js";

/** A part of the notes that is read by itself; `entry` counts from the newest. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly entry?: number;
}

export interface Stretches {
  readonly stretches: readonly Stretch[];
  /** Characters of older entries that are not read. */
  readonly left: number;
}

/** Paragraphs and items as they stand there; what is a sentence is for others to say. */
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

/** A tick, a strike or an empty box in the text is a box too; what stands under a ticked heading is done with it. */
function boxOf({ task, text, headings, node }: Segment): Pick<Segment, "task"> {
  if (node === "heading" || node === "link") return {};
  if (headings.some((heading) => DONE.test(heading.trim()))) return { task: "done" };
  if (task) return {};
  if (DONE.test(text)) return { task: "done" };
  return OPEN.test(text) ? { task: "open" } : {};
}

/** Some tools hand a whole file over in a fence. */
function unwrapped(text: string): string {
  const [opening] = /^\s*`{3,}(?:markdown|md)[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return text;
  const closing = /\n`{3,}\s*$/.exec(text)?.[0] ?? "";
  const blank = (part: string) => part.replace(/[^\r\n]/g, " ");
  return blank(opening) + text.slice(opening.length, text.length - closing.length) + blank(closing);
}

/** A title between two lines of marks is a heading: its upper line goes. */
function withoutBanners(text: string): string {
  return text.replace(/^(?:={5,}|-{5,})[ \t]*(?=\r?\n[^\r\n=-][^\r\n]*\r?\n(?:={5,}|-{5,})[ \t]*\r?$)/gm, (line) =>
    " ".repeat(line.length),
  );
}

/** The entries that are worth reading: from the newest on, as far as room is. */
export function cutEntries(text: string, test: EntryTest | undefined): Stretches {
  const heads = test ? entryHeads(unwrapped(text), test) : [];
  const [first] = heads;
  if (first === undefined) return bounded(text, [{ start: 0, end: text.length }]);
  const entries = newestFirst(heads).map(({ start, end }, entry) => ({ start, end, entry }));
  return bounded(text, [...gaps(heads, text.length), ...entries]);
}

/** What stands before, between and behind the entries. */
function gaps(heads: readonly Head[], length: number): readonly Stretch[] {
  const starts = [0, ...heads.map(({ end }) => end)];
  const ends = [...heads.map(({ start }) => start), length];
  return starts.flatMap((start, index) => {
    const end = ends[index] as number;
    return end > start ? [{ start, end }] : [];
  });
}

function bounded(text: string, stretches: readonly Stretch[]): Stretches {
  const kept: Stretch[] = [];
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

/** Half a secret would not be told for one, and half a character is none. */
function betweenWords(text: string, start: number, end: number): number {
  const from = Math.max(start, end - CUT_SEARCH_CHARACTERS);
  const kept = text.slice(from, end);
  const blank = kept.includes("\n") ? kept.lastIndexOf("\n") : kept.lastIndexOf(" ");
  if (blank >= 0) return from + blank + 1;
  return /[\ud800-\udbff]$/.test(kept) ? end - 1 : end;
}

/** Nobody writes such a line by hand: of it only the beginning is read. */
function withoutLongLines(text: string, stretch: Stretch): readonly Stretch[] {
  const pieces: Stretch[] = [];
  let { start } = stretch;
  // The last line end within reach tells that all lines before it are short enough.
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

/** By date, then by number, then as the log runs. */
function newestFirst(heads: readonly Head[]): readonly Head[] {
  const inOrder = isNewestLast(heads) ? [...heads].reverse() : [...heads];
  if (inOrder.some(({ date }) => date === undefined)) return inOrder;
  const newer = (a: string | number, b: string | number) => (a < b ? 1 : a > b ? -1 : 0);
  return inOrder.sort((a, b) => newer(a.date ?? "", b.date ?? "") || (a.number && b.number ? newer(a.number, b.number) : 0));
}

/** Do the dates mostly rise from entry to entry, or else their numbers? Without either the newest is the first. */
function isNewestLast(heads: readonly Head[]): boolean {
  const rise = (values: readonly (string | number)[]) =>
    values.slice(1).reduce<number>((sum, value, index) => {
      const before = values[index] as typeof value;
      return sum + (value > before ? 1 : value < before ? -1 : 0);
    }, 0);
  const dates = rise(heads.flatMap(({ date }) => date ?? []));
  return (dates === 0 ? rise(heads.flatMap(({ anyNumber }) => anyNumber ?? [])) : dates) > 0;
}
