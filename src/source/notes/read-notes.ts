// Reads a project's notes line by line and item by item.

import type { Run, Segment } from "../../model.js";
import { readMarkdown } from "../markdown/read-markdown.js";
import { toSource, WHOLE } from "../markdown/visible.js";
import { type Stretches, unwrapped } from "./cut-entries.js";
import { isoDate } from "./entry-date.js";
import { ENTRY_HEAD_CHARACTERS } from "./log-marks.js";

export interface NotesReading {
  readonly segments: readonly Segment[];
  /** Characters that were not read because time was up. */
  readonly unread: number;
}

/** Reads whole paragraphs and items; they are split into sentences elsewhere.
 * @param late returns true when time is up; then only the beginning of the first stretch is read */
export function readNotes(text: string, { stretches }: Stretches, late?: () => boolean): NotesReading {
  const segments: Segment[] = [];
  let unread = 0;
  for (const { start, end, entry, head, handoff } of stretches) {
    if (segments.length > 0 && late?.()) {
      unread += end - start;
      continue;
    }
    const stretch = withoutBanners(unwrapped(text.slice(start, end)));
    const read = readMarkdown(stretch, WHOLE, { notes: true, late });
    unread += read.unread;
    for (const [index, found] of (handoff ? rowsToItems(read.segments, stretch) : read.segments).entries()) {
      const isHead = index === 0 && start === head;
      const segment = isHead ? withIsoDate(found) : found;
      segments.push({
        ...segment,
        ...boxOf(segment),
        runs: segment.runs.map((run) => ({ ...run, source: run.source + start })),
        start: segment.start + start,
        end: segment.end + start,
        ...(entry !== undefined && { entry, head: isHead }),
        ...(handoff && entry === undefined && { handoff }),
      });
    }
  }
  return { segments, unread };
}

/** The heading of an entry, whose date is written in one form. */
function withIsoDate(segment: Segment): Segment {
  const { text, runs } = segment;
  const date = isoDate(text.slice(0, ENTRY_HEAD_CHARACTERS));
  if (!date) return segment;
  const { start, end, iso } = date;
  const longer = iso.length - (end - start);
  const behind = runs.filter(({ at }) => at > end).map(({ at, source }) => ({ at: at + longer, source }));
  return {
    ...segment,
    text: text.slice(0, start) + iso + text.slice(end),
    runs: [...runs.filter(({ at }) => at <= start), { at: end + longer, source: toSource(runs, end) }, ...behind],
  };
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

/** A title between two lines of marks is a heading, so the upper line is blanked. */
function withoutBanners(text: string): string {
  return text.replace(/^(?:={5,}|-{5,})[ \t]*(?=\r?\n[^\r\n=-][^\r\n]*\r?\n(?:={5,}|-{5,})[ \t]*\r?$)/gm, (line) =>
    " ".repeat(line.length),
  );
}

// Reads the tables of a hand-off as lists, because people write the same fields in either form.

/** A row is the item "first cell: second cell — third cell". Each cell of a single row is the item "title: cell". */
function rowsToItems(segments: readonly Segment[], text: string): readonly Segment[] {
  return tablesOf(segments, text).flatMap((part) => {
    if (!Array.isArray(part)) return part;
    const [row = [], ...others] = part;
    if (others.length > 0) return part.map(joined);
    // With two cells, the first one may be the label of the other.
    return [...row.map(titled), ...(row.length === 2 ? [joined(row)] : [])];
  });
}

type Row = Segment[];

/** Each table with its rows, and the other segments as they are. */
function tablesOf(segments: readonly Segment[], text: string): readonly (Segment | Row[])[] {
  const parts: (Segment | Row[])[] = [];
  let before: Segment | undefined;
  for (const segment of segments) {
    if (segment.node !== "cell") {
      parts.push(segment);
      // A link in a cell does not end its row.
      if (segment.node !== "link") before = undefined;
      continue;
    }
    // Between the rows of two tables there are more lines.
    const lines = before ? text.slice(before.end, segment.start).split("\n").length : 0;
    const table = parts.findLast((part) => Array.isArray(part)) as Row[] | undefined;
    if (table && lines === 1) table.at(-1)?.push(segment);
    else if (table && lines === 2) table.push([segment]);
    else parts.push([[segment]]);
    before = segment;
  }
  return parts;
}

/** A number before the first words of a row only counts the rows. */
function joined(row: Row): Segment {
  const first = Math.max(
    0,
    row.findIndex(({ text }) => !/^[\d#.)]+$/.test(text)),
  );
  const [head, ...others] = row.slice(first) as [Segment, ...Segment[]];
  let { text } = head;
  const runs: Run[] = [...head.runs];
  for (const [index, cell] of others.entries()) {
    text += index === 0 ? ": " : " — ";
    runs.push(...cell.runs.map(({ at, source }) => ({ at: text.length + at, source })));
    text += cell.text;
  }
  const { lead: _, ...cell } = head;
  return { ...cell, node: "item", text, runs, end: (others.at(-1) ?? head).end };
}

function titled(cell: Segment): Segment {
  const title = cell.lead ? `${cell.lead}: ` : "";
  // The title is elsewhere, so it counts as the place of the cell.
  const runs = [{ at: 0, source: cell.start }, ...cell.runs.map(({ at, source }) => ({ at: at + title.length, source }))];
  return { ...cell, node: "item", text: title + cell.text, runs };
}
