// Reads a project's notes line by line and item by item.
import type { Segment } from "../../model.js";
import { readMarkdown } from "../markdown/read-markdown.js";
import { WHOLE } from "../markdown/visible.js";
import { type Stretches, unwrapped } from "./cut-entries.js";
import { rowsToItems } from "./rows-to-items.js";

export interface NotesReading {
  readonly segments: readonly Segment[];
  /** Characters that were not read because time was up. */
  readonly unread: number;
}

/**
 * Reads whole paragraphs and items; they are split into sentences elsewhere.
 * @param late returns true when time is up; then only the beginning of the first stretch is read
 */
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
    for (const [index, segment] of (handoff ? rowsToItems(read.segments, stretch) : read.segments).entries())
      segments.push({
        ...segment,
        ...boxOf(segment),
        runs: segment.runs.map((run) => ({ ...run, source: run.source + start })),
        start: segment.start + start,
        end: segment.end + start,
        ...(entry !== undefined && { entry, head: index === 0 && start === head }),
      });
  }
  return { segments, unread };
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
