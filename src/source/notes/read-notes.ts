// Reads a project's notes: splits logs into entries, newest first, and reads them line by line and item by item.
import { CUT_SEARCH_CHARACTERS, LINE_CHARACTERS, NOTES_CHARACTERS } from "../../limits.js";
import type { Segment } from "../../model.js";
import { readMarkdown } from "../markdown/read-markdown.js";
import { WHOLE } from "../markdown/visible.js";
import { type EntryTest, entryHeads, type Head } from "./entry-heads.js";

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
