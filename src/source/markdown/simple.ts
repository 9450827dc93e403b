// Reads paragraphs, headings, lists, code fences and plain tables without the parser, which is slow; most text is this simple.
// A line is classified by itself, then added to the blocks that are open.
import { BLOCK_NESTING } from "../../limits.js";
import type { NodeType, Segment } from "../../model.js";
import { closesFence, lines, type MarkdownBlock, openFence } from "./blocks.js";
import { NOT_SIMPLE, type Row, readInline, toRow } from "./simple-inline.js";
import { type Context, type Cutting, type Draft, joinLines, type Outline, pathOf, toSegments, WHOLE } from "./visible.js";

type LineKind = "text" | "below-header" | "rule" | "odd" | "underline" | "fence" | "heading" | "item";

const DASHES = /^[ |:-]*-[ |:-]*$/;
const RULE = /^([-*_])(?: *\1){2,} *$/;
const HEADING = /^(#{1,6})(?: +|$)/;
const MARKER = /^([-*+]|(\d{1,9})[.)]) {1,4}(?=[^ ])/;
const KINDS: readonly (readonly [LineKind, { test(content: string): boolean }])[] = [
  // Most lines begin with a letter.
  ["text", /^[A-Za-z]/],
  ["below-header", /^\|(?: *:?-+:? *\|)+ *$/],
  ["rule", RULE],
  // A quote, the underline of a heading, and an item that is empty or contains code.
  ["odd", /^>|^[ |:-]*-[ |:-]*$|^(?:[-*+]|\d{1,9}[.)])(?: {5}| *$)/],
  ["underline", /^=+ *$/],
  ["fence", { test: (content) => openFence(content) !== undefined }],
  ["heading", HEADING],
  ["item", MARKER],
];
const kindOf = (content: string): LineKind => KINDS.find(([, pattern]) => pattern.test(content))?.[0] ?? "text";

const TABLE_ROW = /^\|[^\\]*\| *$/;
const TASK = /^\[([ xX])\] (?=[^ ])/;
/** What an item may not start with: something other than a paragraph, and a box with other blanks behind it. */
const INNER = /^(?:#{1,6}(?: |$)|[>|<=]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])(?: |$)|\[[ xX]\](?: {2}| ?$))/;

interface Item {
  /** The column of its text. */
  readonly offset: number;
  readonly marker: string;
  readonly task: "open" | "done" | undefined;
  /** The lead of its list. */
  readonly lead: string | undefined;
  /** The lead of lists in it. */
  inner: string | undefined;
  /** Its paragraphs, lists and code so far. */
  parts: number;
  /** Has it no task in it? */
  leaf: boolean;
  readonly segments: Draft[];
}

/** Undefined if only the parser can read the block. */
export function readSimple(text: string, block: MarkdownBlock, outline: Outline, cutting: Cutting): Segment[] | undefined {
  try {
    const builder = createBuilder(text, outline, cutting);
    for (const line of lines(text, block.start, block.end)) builder.add(line);
    return builder.end();
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

/** The outline changes only at the end: the parser may have to read the block after all. */
function createBuilder(text: string, outline: Outline, cutting: Cutting) {
  const segments: Draft[] = [];
  const headings = [...outline.headings];
  let path = pathOf(outline);
  let lead = outline.lead;
  /** The open items, each in the one before. */
  const items: Item[] = [];
  let rows: Row[] = [];
  let fence: { readonly mark: string; readonly margin: number } | undefined;
  /** The plain headers of the table that is open. */
  let table: readonly string[] | undefined;

  function add({ start, end }: MarkdownBlock): void {
    let from = start;
    while (from < end && text[from] === " ") from++;
    const indentation = from - start;
    if (fence !== undefined) {
      if (from < end && indentation < fence.margin) throw NOT_SIMPLE;
      if (closesFence(fence.mark, text.slice(start + fence.margin, end))) fence = undefined;
      return;
    }
    if (from === end) return endParagraph();
    const content = text.slice(from, end);
    if (/[\t\0]/.test(content)) throw NOT_SIMPLE;
    if (table) return void cells(from, content, table);
    let depth = items.length;
    while (depth > 0 && (items[depth - 1] as Item).offset > indentation) depth--;
    const margin = items[depth - 1]?.offset ?? 0;
    const continues = rows.length > 0 && depth === items.length;
    const isDeep = indentation >= margin + 4;
    if (isDeep && (!continues || DASHES.test(content))) throw NOT_SIMPLE;
    const kind = isDeep ? "text" : kindOf(content);
    if (kind === "below-header" && rows.length === 1 && items.length === 0) startTable(content);
    else if (kind === "rule" && rows.length === 0 && depth === 0) {
      items.length = 0;
      lead = undefined;
    } else if (kind === "fence") {
      startPart(depth);
      fence = { mark: openFence(content) as string, margin };
    } else if (kind === "heading" && depth === 0) {
      startPart(0);
      const [all, marks] = HEADING.exec(content) as unknown as [string, string];
      heading(marks.length, from + all.length, end);
    } else if (kind === "item") startItem(MARKER.exec(content) as RegExpExecArray, depth, start, from, end);
    // A continuation line without the item's margin needs the parser.
    else if ((kind === "text" && (rows.length === 0 || continues)) || (kind === "underline" && rows.length === 0)) {
      items.length = depth;
      rows.push(toRow(text, from, end));
    } else throw NOT_SIMPLE;
  }

  /** Ends the items below this depth, and counts what starts in the last one that is left. */
  function startPart(depth: number): void {
    endParagraph();
    items.length = depth;
    const item = items.at(-1);
    if (item) item.parts++;
  }

  function startItem([all, marker = "", digits]: RegExpExecArray, depth: number, start: number, at: number, end: number): void {
    const kind = marker.at(-1) as string;
    const before = items[depth]?.marker === kind ? items[depth] : undefined;
    // A list that starts with a number other than 1 does not interrupt a paragraph.
    if (digits !== undefined && digits !== "1" && rows.length > 0 && !before) throw NOT_SIMPLE;
    const from = at + all.length;
    const content = text.slice(from, end);
    if (depth > BLOCK_NESTING || INNER.test(content) || RULE.test(content)) throw NOT_SIMPLE;
    const box = TASK.exec(content);
    const task = box ? (box[1] === " " ? "open" : "done") : undefined;
    endParagraph();
    // An item that is only a title with a colon is the lead of the items after it.
    const isTitle = cutting === WHOLE && before?.parts === 1 && /[:：]$/.test(before.inner ?? "");
    const above = before ? (isTitle ? before.inner : before.lead) : depth > 0 ? items[depth - 1]?.inner : lead;
    startPart(depth);
    for (const item of task ? items : []) {
      item.leaf = false;
      for (const segment of item.segments) if (segment.leaf) segment.leaf = false;
    }
    items.push({ offset: from - start, marker: kind, task, lead: above, inner: above, parts: 0, leaf: true, segments: [] });
    rows.push(toRow(text, from + (box?.[0].length ?? 0), end));
  }

  function heading(depth: number, from: number, lineEnd: number): void {
    const row = toRow(text, from, lineEnd);
    // Closing marks need the parser.
    if (row.end === from || text[row.end - 1] === "#") throw NOT_SIMPLE;
    while ((headings.at(-1)?.depth ?? 0) >= depth) headings.pop();
    path = headings.map(({ text: above }) => above);
    lead = leaf("heading", [row], { headings: path });
    headings.push({ depth, text: lead });
    path = [...path, lead];
  }

  function startTable(content: string): void {
    const [header] = rows as [Row];
    rows = [];
    table = cells(header.start, text.slice(header.start, header.end));
    if (table.length !== content.split("|").length - 2) throw NOT_SIMPLE;
  }

  /** Adds the cells below the headers. Returns their plain texts. */
  function cells(start: number, content: string, headers?: readonly string[]): readonly string[] {
    const texts = content.split("|").slice(1, -1);
    if (!TABLE_ROW.test(content) || (headers && texts.length !== headers.length)) throw NOT_SIMPLE;
    let at = start + 1;
    return texts.map((cell, column) => {
      const row = toRow(text, at, at + cell.length);
      at += cell.length + 1;
      return headers ? leaf("cell", [row], { headings: path, lead: headers[column] }) : readInline(text, [row]).plain;
    });
  }

  function endParagraph(): void {
    table = undefined;
    if (rows.length === 0) return;
    const item = items.at(-1);
    // A task is counted once, so further paragraphs of an item are plain text.
    const isFurther = cutting === WHOLE && (item?.parts ?? 0) > 0;
    const task = isFurther ? undefined : item?.task;
    const whole = cutting === WHOLE && item && { depth: items.length, leaf: item.task && item.leaf };
    const context = { headings: path, ...(item && { lead: item.lead, task }), ...whole };
    const from = segments.length;
    const plain = leaf(task ? "task" : item && !isFurther ? "item" : "sentence", rows, context);
    rows = [];
    if (item) {
      item.inner = plain;
      item.parts++;
      item.segments.push(...segments.slice(from));
    } else lead = plain;
  }

  /** Adds the sentences of a paragraph, heading or cell; returns its plain text. */
  function leaf(node: NodeType, own: readonly Row[], context: Context): string {
    const { visible, plain } = readInline(text, own);
    const sentences = toSegments(joinLines(visible), node, context, cutting);
    for (const sentence of sentences) segments.push(sentence);
    const [opening, closing] = [sentences[0], sentences.at(-1)];
    if (opening) opening.start = Math.min(opening.start, (own[0] as Row).start);
    if (closing) closing.end = Math.max(closing.end, (own.at(-1) as Row).end);
    return plain;
  }

  return {
    add,
    end(): Segment[] {
      endParagraph();
      outline.headings.splice(0, outline.headings.length, ...headings);
      outline.lead = lead;
      return segments;
    },
  };
}
