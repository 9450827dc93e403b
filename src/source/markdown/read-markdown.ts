// Reads Markdown into segments, block by block. Simple blocks are read directly, other blocks are parsed, and blocks that are
// unsafe for the parser are scanned line by line.
import { LATE_CHARACTERS } from "../../limits.js";
import type { Segment } from "../../model.js";
import { containers, isParsable, lines, type MarkdownBlock, splitBlocks } from "./blocks.js";
import { parseBlock } from "./parse-block.js";
import { readSimple } from "./simple.js";
import { blankTags } from "./tags.js";
import { type Cutting, type Draft, linkSegment, type Outline, pathOf, toSegments } from "./visible.js";

/** Characters at the start of a line that show what it is, when a block is scanned. */
const LEAD_CHARACTERS = 80;

export interface Reading {
  readonly segments: readonly Segment[];
  /** Number of blocks that were scanned line by line. */
  readonly scanned: number;
  /** Characters that were not read because time was up. */
  readonly unread: number;
}

export interface ReadOptions {
  /** Keep fields, and lines after a list, apart from lines with which Markdown would join them. */
  readonly notes?: boolean;
  /** Parse everything that is safe to parse. The faster ways must give the same result. */
  readonly parseAll?: boolean;
  /** Returns true when time is up; called between blocks, but not at the start of the text. */
  readonly late?: (() => boolean) | undefined;
}

export function readMarkdown(given: string, cutting: Cutting, options: ReadOptions = {}): Reading {
  // The parser drops a byte order mark, which would shift all offsets.
  const text = blankTags(given.startsWith("\uFEFF") ? ` ${given.slice(1)}` : given);
  const { notes = false, late } = options;
  const blocks = splitBlocks(text, notes);
  const outline: Outline = { headings: [], lead: undefined };
  if (options.parseAll && !notes && blocks.every((block) => isParsable(text, block)))
    return {
      segments: withParts([...parseBlock(text, { start: 0, end: text.length }, outline, cutting)]),
      scanned: 0,
      unread: 0,
    };
  const segments: Segment[] = [];
  // One by one: a long text has more segments than a function call can have arguments.
  const add = (more: readonly Segment[]) => {
    for (const segment of more) segments.push(segment);
  };
  let scanned = 0;
  for (const block of blocks) {
    if (block.start > LATE_CHARACTERS && late?.())
      return { segments: withParts(segments), scanned, unread: text.length - block.start };
    const simple = options.parseAll ? undefined : readSimple(text, block, outline, cutting);
    const read = simple ?? (isParsable(text, block) ? parseBlock(text, block, outline, cutting) : undefined);
    if (!read && !HAS_WORD.test(text.slice(block.start, block.end))) continue;
    if (!read) scanned++;
    add(read ?? scanBlock(text, block, outline, cutting));
  }
  return { segments: withParts(segments), scanned, unread: 0 };
}

function withParts(segments: Segment[]): readonly Segment[] {
  const first = segments.findIndex(({ node }) => node !== "link");
  const last = segments.findLastIndex(({ node }) => node !== "link");
  if (last > first) (segments[last] as Draft).part = "closing";
  if (first >= 0) (segments[first] as Draft).part = "opening";
  return segments;
}

// Reads a block line by line when it is unsafe to parse: less exact, but linear for any text.

const HAS_WORD = /[\p{L}\p{N}]/u;
const LINK = /\[\[([^[\]\n\r]{1,200})\]\]/g;

function scanBlock(text: string, block: MarkdownBlock, outline: Outline, cutting: Cutting): readonly Segment[] {
  const segments: Segment[] = [];
  const headings = pathOf(outline);
  const rows = Array.from(lines(text, block.start, block.end), (line) => {
    const { markers, content } = containers(text, line.start, line.end);
    const lead = text.slice(content, Math.min(line.end, content + LEAD_CHARACTERS));
    return { line, markers, content, lead, fence: /^(`{3,}|~{3,})/.exec(lead)?.[1] };
  });
  // An unclosed fence hides nothing.
  const lastFence = rows.findLastIndex(({ fence }) => fence !== undefined);
  let open: string | undefined;
  for (const [index, { line, markers, content, lead, fence }] of rows.entries()) {
    if (open !== undefined || (fence !== undefined && index < lastFence)) {
      if (open === undefined) open = fence;
      else if (fence?.startsWith(open)) open = undefined;
      continue;
    }
    const heading = /^#{1,6}\s+/.exec(lead)?.[0];
    const start = content + (heading?.length ?? 0);
    const prose = text.slice(start, line.end);
    if (!HAS_WORD.test(prose)) continue;
    const quoted = text.slice(line.start, content).includes(">");
    const node = heading ? "heading" : quoted ? "quote" : markers > 0 ? "item" : "sentence";
    const visible = { text: prose, runs: [{ at: 0, source: start }] };
    for (const segment of toSegments(visible, node, { headings }, cutting)) segments.push(segment);
    for (const link of prose.matchAll(LINK)) {
      const from = start + link.index;
      const target = (link[1] as string).split("|")[0] as string;
      segments.push(linkSegment(target, from, from + link[0].length, headings));
    }
  }
  return segments;
}
