// Markdown → segments, block by block: the simple ones are read as they stand, the others parsed, and those that would
// take the parser down are scanned.
import { DEFINING_BLOCKS, PORTION_BLOCKS, PORTION_CHARACTERS } from "../limits.js";
import type { Segment } from "../model.js";
import { type Block, isParsable, splitBlocks } from "./blocks.js";
import { type Outline, pathOf } from "./outline.js";
import { definitionsOf, parseBlock } from "./parse.js";
import { scanBlock } from "./scan.js";
import { readSimple } from "./simple.js";
import { readQuote } from "./simple-quote.js";
import { withoutTags } from "./tags.js";
import type { Cutting, Draft } from "./visible.js";

export interface Reading {
  readonly segments: readonly Segment[];
  /** Blocks that were scanned line by line. */
  readonly scanned: number;
  /** Characters that were not read because time was up. */
  readonly unread: number;
}

export interface ReadOptions {
  /** Lines stand by themselves that markdown would join: fields, and what follows a list. */
  readonly notes?: boolean;
  /** Everything goes to the parser that may: what the other ways must be equal to. */
  readonly parseAll?: boolean;
  /** Says that time is up; asked between blocks. */
  readonly late?: (() => boolean) | undefined;
}

export function readMarkdown(given: string, cutting: Cutting, options: ReadOptions = {}): Reading {
  // The parser drops a byte order mark and counts from behind it.
  const text = withoutTags(given.startsWith("\uFEFF") ? ` ${given.slice(1)}` : given);
  const { notes = false, late } = options;
  const blocks = splitBlocks(text, notes);
  if (options.parseAll && !notes && blocks.every((block) => isParsable(text, block))) return parseWhole(text, cutting);
  const defined = mayDefine(text, { start: 0, end: text.length });
  const defining = defined
    ? blocks.filter((block) => mayDefine(text, block) && isParsable(text, block)).slice(0, DEFINING_BLOCKS)
    : [];
  const definitions = definitionsOf(text, defining);
  const outline: Outline = { headings: [], lead: undefined };
  const segments: Segment[] = [];
  // One by one: a long text has more segments than a call may have arguments.
  const add = (more: readonly Segment[]) => {
    for (const segment of more) segments.push(segment);
  };
  const simple = (block: Block, above: Outline) => {
    if (options.parseAll) return undefined;
    const read = readSimple(text, block, above, cutting, { defined, whole: notes });
    return read ?? (notes ? undefined : readQuote(text, block, above, cutting, defined));
  };
  let scanned = 0;
  let waiting: Block | undefined;
  let count = 0;
  const flush = () => {
    if (waiting) add(parseBlock(text, waiting, outline, cutting, definitions));
    waiting = undefined;
  };
  for (const block of blocks) {
    if (late?.()) return { segments: withParts(segments), scanned, unread: text.length - (waiting ?? block).start };
    // Where something waits for the parser, it is not known yet what this block stands under.
    const above = waiting ? { ...outline, headings: [...outline.headings] } : outline;
    const read = simple(block, above);
    if (read) {
      flush();
      add(above === outline ? read : (simple(block, outline) ?? []));
    } else if (isParsable(text, block)) {
      // Neighbours go to the parser together, but what only notes hold apart must not meet there.
      const apart = waiting !== undefined && (!notes || /\n[ \t]*\r?\n|\r[ \t]*\r/.test(text.slice(waiting.end, block.start)));
      const joins = apart && count < PORTION_BLOCKS && block.end - (waiting?.start ?? 0) <= PORTION_CHARACTERS;
      if (!joins) flush();
      count = joins ? count + 1 : 1;
      waiting = { start: waiting?.start ?? block.start, end: block.end };
    } else if (/[\p{L}\p{N}]/u.test(text.slice(block.start, block.end))) {
      flush();
      scanned++;
      add(scanBlock(text, block, pathOf(outline), cutting));
    }
  }
  flush();
  return { segments: withParts(segments), scanned, unread: 0 };
}

function parseWhole(text: string, cutting: Cutting): Reading {
  const segments = parseBlock(text, { start: 0, end: text.length }, { headings: [], lead: undefined }, cutting);
  return { segments: withParts([...segments]), scanned: 0, unread: 0 };
}

/** Could a bracket at the beginning of a line, quoted or not, define what others refer to? */
function mayDefine(text: string, { start, end }: Block): boolean {
  const part = text.slice(start, end);
  return part.includes("]:") && /(?:^|[\n\r])[ \t>*+\-\d.)]*\[/.test(part);
}

function withParts(segments: Segment[]): readonly Segment[] {
  const first = segments.findIndex(({ node }) => node !== "link");
  const last = segments.findLastIndex(({ node }) => node !== "link");
  if (last > first) (segments[last] as Draft).part = "closing";
  if (first >= 0) (segments[first] as Draft).part = "opening";
  return segments;
}
