// Splits a log into entries, newest first, and finds the hand-off, which is about the whole project.
import { CUT_SEARCH_CHARACTERS, LINE_CHARACTERS, NOTES_CHARACTERS } from "../../limits.js";
import { findMarks, type LogHead, type LogTest, NO_MARKS } from "./log-marks.js";
import { newestFirst } from "./newest-first.js";

/** Entries of a log that are read, newest first: a week's work, of which a continuation shows a few lines. */
const NOTES_ENTRIES = 20;

/** A part of the notes that is read separately. */
export interface NotesStretch {
  readonly start: number;
  readonly end: number;
  /** Counts from the newest. */
  readonly entry?: number;
  readonly head?: number;
  readonly handoff?: boolean;
}

export interface Stretches {
  readonly stretches: readonly NotesStretch[];
  /** Characters of older entries that are not read. */
  readonly left: number;
}

/** Selects the parts to read, as far as there is room. */
export const cutEntries = (text: string, test: LogTest | undefined): Stretches => bounded(text, partsOf(text, test));

/** All parts, in the order of the text. */
export function allEntries(text: string, test: LogTest | undefined): Stretches {
  return { stretches: [...partsOf(text, test)].sort((a, b) => a.start - b.start), left: 0 };
}

/** Newest first: what is in no entry, the hand-off, the entries. */
function partsOf(text: string, test: LogTest | undefined): readonly NotesStretch[] {
  const { heads, handoffs } = test ? findMarks(unwrapped(text), test) : NO_MARKS;
  if (heads.length + handoffs.length === 0) return [{ start: 0, end: text.length }];
  const inOrder = newestFirst(heads);
  const entryOf = (at: number) => {
    const own = heads.findLast(({ start }) => start < at);
    return own ? inOrder.indexOf(own) : 0;
  };
  const [handoff, ...older] = handoffs
    .map(({ start, end }) => ({ start, end, entry: entryOf(start), handoff: true }))
    .sort((a, b) => a.entry - b.entry);
  const entries = inOrder.map(({ start, end }, entry) => ({ start, end, entry, head: start }));
  const rest = <T extends NotesStretch>(stretch: T) => without(stretch, handoffs);
  return [
    ...gaps(heads, text.length).flatMap(rest),
    ...(handoff ? [{ start: handoff.start, end: handoff.end, handoff: true }] : []),
    ...[...entries.flatMap(rest), ...older].sort((a, b) => a.entry - b.entry),
  ];
}

/** The parts of a stretch that are in none of the hand-offs. */
function without<T extends NotesStretch>(stretch: T, handoffs: readonly NotesStretch[]): readonly T[] {
  const parts: T[] = [];
  let { start } = stretch;
  for (const handoff of handoffs) {
    if (handoff.start < start || handoff.start >= stretch.end) continue;
    parts.push({ ...stretch, start, end: handoff.start });
    start = handoff.end;
  }
  return [...parts, { ...stretch, start }].filter((part) => part.end > part.start);
}

/** The text before, between and after the entries. */
function gaps(heads: readonly LogHead[], length: number): readonly NotesStretch[] {
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

/** Removes a fence around the whole file, which some tools add. */
export function unwrapped(text: string): string {
  const [opening] = /^\s*`{3,}(?:markdown|md)[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return text;
  const closing = /\n`{3,}\s*$/.exec(text)?.[0] ?? "";
  const blank = (part: string) => part.replace(/[^\r\n]/g, " ");
  return blank(opening) + text.slice(opening.length, text.length - closing.length) + blank(closing);
}
