// Reads paragraphs, headings, lists, code fences and plain tables without the parser, which is slow; most text is this simple.
// Returns undefined for a block that may contain anything else, which then goes to the parser.
import { BLOCK_NESTING } from "../../limits.js";
import type { NodeType, Segment } from "../../model.js";
import { closesFence, lines, type MarkdownBlock, openFence } from "./blocks.js";
import {
  append,
  type Context,
  type Cutting,
  type Draft,
  joinLines,
  type Outline,
  pathOf,
  toSegments,
  type Visible,
  WHOLE,
} from "./visible.js";

const HEADING = /^(#{1,6})(?: +|$)/;
const RULE = /^([-*_])(?: *\1){2,} *$/;
const UNDERLINE = /^=+ *$/;
/** A rule, the underline of a heading, or the line below the header of a table. */
const DASHES = /^[ |:-]*-[ |:-]*$/;
const BELOW_HEADER = /^\|(?: *:?-+:? *\|)+ *$/;
const TABLE_ROW = /^\|[^\\]*\| *$/;
const MARKER = /^([-*+]|(\d{1,9})[.)]) {1,4}(?=[^ ])/;
/** An item that is empty or contains code. */
const ODD_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: {5}| *$)/;
/** Starts something other than a paragraph. */
const INNER = /^(?:#{1,6}(?: |$)|[>|<=]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])(?: |$))/;
const TASK = /^\[([ xX])\] (?=[^ ])/;
/** A box with other blanks behind it. */
const ODD_TASK = /^\[[ xX]\](?: |$)/;

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

/** A line of a paragraph without the blanks around it. */
interface Row extends MarkdownBlock {
  readonly lineEnd: number;
}

/** Undefined if only the parser can read the block. */
export function readSimple(
  text: string,
  block: MarkdownBlock,
  outline: Outline,
  cutting: Cutting,
): readonly Segment[] | undefined {
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
  for (const line of lines(text, block.start, block.end)) if (!readLine(line.start, line.end)) return undefined;
  if (!endParagraph()) return undefined;
  outline.headings.splice(0, outline.headings.length, ...headings);
  outline.lead = lead;
  return segments;

  function readLine(start: number, end: number): boolean {
    let from = start;
    while (from < end && text[from] === " ") from++;
    const indentation = from - start;
    if (fence !== undefined) {
      if (from < end && indentation < fence.margin) return false;
      if (closesFence(fence.mark, text.slice(start + fence.margin, end))) fence = undefined;
      return true;
    }
    if (from === end) return endParagraph();
    const content = text.slice(from, end);
    if (/[\t\0]/.test(content)) return false;
    if (table) return cells(from, content, table) !== undefined;
    let depth = items.length;
    while (depth > 0 && (items[depth - 1] as Item).offset > indentation) depth--;
    const margin = items[depth - 1]?.offset ?? 0;
    const continues = rows.length > 0 && depth === items.length;
    if (indentation >= margin + 4) return continues && !DASHES.test(content) && addRow(from, end);
    if (rows.length === 1 && items.length === 0 && BELOW_HEADER.test(content)) return startTable(content);
    if (rows.length === 0 && depth === 0 && RULE.test(content)) {
      items.length = 0;
      lead = undefined;
      return true;
    }
    if (content[0] === ">" || DASHES.test(content) || RULE.test(content) || ODD_ITEM.test(content)) return false;
    if (continues && UNDERLINE.test(content)) return false;
    const mark = openFence(content);
    const level = HEADING.exec(content);
    if (mark !== undefined || level) {
      if ((level && depth > 0) || !endParagraph()) return false;
      items.length = depth;
      const item = items.at(-1);
      if (item) item.parts++;
      if (mark !== undefined) fence = { mark, margin };
      return level ? heading(level[1]?.length ?? 1, from + level[0].length, end) : true;
    }
    const marker = MARKER.exec(content);
    if (marker) return startItem(marker, depth, start, end, continues);
    // A continuation line without the item's margin needs the parser.
    if (rows.length > 0 && !continues) return false;
    items.length = depth;
    return addRow(from, end);
  }

  function addRow(from: number, lineEnd: number): boolean {
    rows.push(rowOf(text, from, lineEnd));
    return true;
  }

  function startItem([all, marker = "", digits]: RegExpExecArray, depth: number, start: number, end: number, continues: boolean) {
    const kind = marker.at(-1) as string;
    const before = items[depth];
    const isNext = before?.marker === kind;
    // A list that starts with a number other than 1 does not interrupt a paragraph.
    if (digits !== undefined && digits !== "1" && (continues || (rows.length > 0 && !isNext))) return false;
    const from = text.indexOf(all, start) + all.length;
    const content = text.slice(from, end);
    const box = TASK.exec(content);
    if (depth > BLOCK_NESTING || INNER.test(content) || RULE.test(content) || (!box && ODD_TASK.test(content))) return false;
    if (!endParagraph()) return false;
    const above = isNext ? leadAfter(before) : depth > 0 ? items[depth - 1]?.inner : lead;
    items.length = depth;
    const parent = items.at(-1);
    if (parent) parent.parts++;
    const task = box ? (box[1] === " " ? "open" : "done") : undefined;
    for (const item of task ? items : []) {
      item.leaf = false;
      for (const segment of item.segments) if (segment.leaf) segment.leaf = false;
    }
    items.push({ offset: from - start, marker: kind, task, lead: above, inner: above, parts: 0, leaf: true, segments: [] });
    return addRow(from + (box?.[0].length ?? 0), end);
  }

  /** An item that is only a title with a colon is the lead of the items after it. */
  function leadAfter({ lead: own, inner, parts }: Item): string | undefined {
    return cutting === WHOLE && parts === 1 && /[:：]$/.test(inner ?? "") ? inner : own;
  }

  function heading(depth: number, from: number, lineEnd: number): boolean {
    const row = rowOf(text, from, lineEnd);
    // Closing marks need the parser.
    if (row.end === from || text[row.end - 1] === "#") return false;
    while ((headings.at(-1)?.depth ?? 0) >= depth) headings.pop();
    path = headings.map(({ text: above }) => above);
    const plain = leaf("heading", [row], { headings: path });
    if (plain === undefined) return false;
    headings.push({ depth, text: plain });
    path = [...path, plain];
    lead = plain;
    return true;
  }

  function startTable(content: string): boolean {
    const [header] = rows as [Row];
    rows = [];
    table = cells(header.start, text.slice(header.start, header.end));
    return table?.length === content.split("|").length - 2;
  }

  /** Adds the cells below the headers. Returns the plain texts of the cells, or undefined if they need the parser. */
  function cells(start: number, content: string, headers?: readonly string[]): readonly string[] | undefined {
    if (!TABLE_ROW.test(content)) return undefined;
    const texts = content.split("|").slice(1, -1);
    if (headers && texts.length !== headers.length) return undefined;
    const plain: string[] = [];
    let at = start + 1;
    for (const [column, cell] of texts.entries()) {
      const row = rowOf(text, at, at + cell.length);
      const own = headers ? leaf("cell", [row], { headings: path, lead: headers[column] }) : readInline(text, [row])?.plain;
      if (own === undefined) return undefined;
      plain.push(own);
      at += cell.length + 1;
    }
    return plain;
  }

  function endParagraph(): boolean {
    table = undefined;
    if (rows.length === 0) return true;
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
    return plain !== undefined;
  }

  /** Adds the sentences of a paragraph, heading or cell; returns its plain text, or undefined if it needs the parser. */
  function leaf(node: NodeType, own: readonly Row[], context: Context): string | undefined {
    const inline = readInline(text, own);
    if (!inline) return undefined;
    const sentences = toSegments(joinLines(inline.visible), node, context, cutting);
    for (const sentence of sentences) segments.push(sentence);
    const [opening, closing] = [sentences[0], sentences.at(-1)];
    if (opening) opening.start = Math.min(opening.start, (own[0] as Row).start);
    if (closing) closing.end = Math.max(closing.end, (own.at(-1) as Row).end);
    return inline.plain;
  }
}

function rowOf(text: string, from: number, lineEnd: number): Row {
  let [start, end] = [from, lineEnd];
  while (end > start && text[end - 1] === " ") end--;
  while (start < end && text[start] === " ") start++;
  return { start, end, lineEnd };
}

/**
 * Code closed on the same line, links, tags, escapes, runs of emphasis marks, and marks that need the parser: other backticks,
 * escapes, tags and links, and entities.
 */
const MARKS = new RegExp(
  [
    /(`+)[^`]+\1(?!`)/,
    /\[([^[\]`*_\\<&]+)\]\([^\s()<>\\&]*\)/,
    /(<\/?[A-Za-z][\w-]*>)/,
    /\\([!-/:-@[-`{-~])/,
    /\*+|_+|`|\\$|&[#A-Za-z]|<(?![-=.,%0-9]{0,9}(?: |$))|\[\[|\]\(/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** The visible text of a paragraph's rows, and the plain text without marks. */
function readInline(text: string, rows: readonly Row[]): { readonly visible: Visible; readonly plain: string } | undefined {
  const visible: Visible = { text: "", runs: [] };
  let plain = "";
  const show = (start: number, end: number, words = text.slice(start, end)) => {
    append(visible, text.slice(start, end), start);
    plain += words;
  };
  let above: Row | undefined;
  for (const row of rows) {
    // Two blanks at the end of a line are a line break.
    if (above && above.lineEnd - above.end > 1) append(visible, " ", above.end);
    else if (above) show(above.lineEnd, above.lineEnd + (text.startsWith("\r\n", above.lineEnd) ? 2 : 1));
    above = row;
    const open: string[] = [];
    let done = row.start;
    for (const { 0: mark, 1: ticks, 2: label, 3: tag, 4: escaped, index: at } of text.slice(row.start, row.end).matchAll(MARKS)) {
      const start = row.start + at;
      const end = start + mark.length;
      // At the start of a line, a tag hides what follows. In a line, it is text.
      if (tag !== undefined && at > 0) continue;
      // An image has no text.
      const known = ticks ?? escaped ?? (text[start - 1] === "!" ? undefined : label);
      const role = known === undefined ? roleOf(text, start, end, open.at(-1)) : "text";
      if (role === undefined) return undefined;
      if (role === "none") continue;
      // The source of an escaped backslash is the first one.
      show(done, escaped === "\\" ? end - 1 : start);
      done = end;
      if (ticks !== undefined) show(start, end, codeOf(mark, ticks.length));
      else if (label !== undefined) show(start + 1, start + 1 + label.length);
      else if (escaped !== undefined) done = escaped === "\\" ? end : end - 1;
      else if (role === "opens") open.push(mark);
      else if (open.pop() !== mark) return undefined;
    }
    if (open.length > 0) return undefined;
    show(done, row.end);
  }
  return { visible, plain };
}

/** The code without its backticks and the blanks next to them. */
function codeOf(mark: string, ticks: number): string {
  const code = mark.slice(ticks, -ticks);
  return /^ .* $/.test(code) && /[^ ]/.test(code) ? code.slice(1, -1) : code;
}

/** What a run of * or _ does after the opening run; undefined if that depends on other runs, and for all other marks. */
function roleOf(text: string, start: number, end: number, open: string | undefined): "opens" | "closes" | "none" | undefined {
  const [previous = " ", next = " "] = [text[start - 1], text[end]];
  if (!/[*_]/.test(text[start] as string) || /[*_]/.test(previous) || /[*_]/.test(next)) return undefined;
  const before = sortOf(previous);
  const after = sortOf(next);
  const opens = after === "letter" || (after === "mark" && before !== "letter");
  const closes = before === "letter" || (before === "mark" && after !== "letter");
  if (opens && closes && text[start] === "_" && before === "letter") return "none";
  if (opens && closes) return open === text.slice(start, end) ? "closes" : undefined;
  return opens ? "opens" : closes ? "closes" : "none";
}

function sortOf(character: string): "blank" | "mark" | "letter" {
  if (/\s/.test(character)) return "blank";
  return /[\p{P}\p{S}]/u.test(character) ? "mark" : "letter";
}
