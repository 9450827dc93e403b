// Paragraphs, headings, lists and fences, read without the parser where they are as simple as most are.
// A block that may be anything else is left to the parser.
import { HEADING_CHARACTERS } from "../limits.js";
import type { NodeType, Segment } from "../model.js";
import { type Block, lines } from "./blocks.js";
import { readLeaf } from "./leaf.js";
import { type Outline, pathOf } from "./outline.js";
import { readInline } from "./simple-inline.js";
import type { Context, Cutting } from "./visible.js";

const HEADING = /^(#{1,6})(?: +|$)/;
const FENCE = /(`{3,}(?![^\n\r]*`)|~{3,})/y;
const RULE = /^([-*_])(?: *\1){2,} *$/;
const UNDERLINE = /^(?:=+|-+) *$/;
const TABLE_RULE = /^[ |:-]*-[ |:-]*$/;
const MARKER = /^([-*+]|(\d{1,9})[.)]) {1,4}(?=[^ ])/;
/** Nothing in it, or code. */
const ODD_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: {5}| *$)/;
/** What begins anything but a paragraph. */
const INNER = /^(?:#{1,6}(?: |$)|[>|<=]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])(?: |$)|\[[^\]]*\]:)/;
const STARTS = /^(?:#{1,6}(?: |$)|[><]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])(?: |$))/;
const BOX = /^\[([ xX])\] (?=[!-~])/;

/** Could a line be anything but part of a paragraph? */
export const beginsOther = (content: string): boolean => INNER.test(content) || RULE.test(content) || TABLE_RULE.test(content);

interface Item {
  /** The column of its text. */
  readonly offset: number;
  readonly marker: string;
  readonly task: "open" | "done" | undefined;
  /** What introduces its list. */
  readonly introduced: string | undefined;
  /** What introduces a list inside of it. */
  lead: string | undefined;
}

interface Fence {
  readonly mark: string;
  readonly offset: number;
}

/** @param whole the block must be one paragraph */
export function readSimple(
  text: string,
  block: Block,
  outline: Outline,
  cutting: Cutting,
  { defined, whole }: { readonly defined: boolean; readonly whole: boolean },
): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  const headings = [...outline.headings];
  let path = pathOf(outline);
  let lead = outline.lead;
  const items: Item[] = [];
  let rows: Block[] = [];
  let fence: Fence | undefined;
  /** The titles of the columns of the table that goes on. */
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
    let to = end;
    while (to > from && text[to - 1] === " ") to--;
    if (fence) return readFenced(fence, from, to, indentation);
    if (from === to) {
      table = undefined;
      return !whole && endParagraph();
    }
    const content = text.slice(from, to);
    if (/[\t\0]/.test(content)) return false;
    let depth = items.length;
    while (depth > 0 && (items[depth - 1] as Item).offset > indentation) depth--;
    const inside = indentation - (items[depth - 1]?.offset ?? 0);
    const inParagraph = rows.length > 0 && depth === items.length;
    const first = content[0] as string;
    if (table) {
      const [, ...cells] = tableCells(from, to);
      return cells.length > 0 && !STARTS.test(content) && depth === 0 && inside < 4 && addCells(cells, table);
    }
    if (inside >= 4) return inParagraph && !TABLE_RULE.test(content) && addRow(from, to);
    if (content.includes("|") && TABLE_RULE.test(content))
      return depth === 0 && items.length === 0 && !whole && beginTable(from, to);
    if (first === ">" || first === "<" || TABLE_RULE.test(content) || ODD_ITEM.test(content)) {
      // A line of dashes ends a paragraph as a heading.
      return RULE.test(content) && !inParagraph && !whole && rule(depth);
    }
    if (first === "#") {
      const marks = HEADING.exec(content);
      // Blanks behind it are part of it.
      if (marks) return depth === 0 && !whole && to === end && heading(marks[1]?.length ?? 1, from + marks[0].length, to);
    } else if (first === "`" || first === "~") {
      FENCE.lastIndex = from;
      const mark = FENCE.exec(text)?.[1];
      if (mark !== undefined) {
        if (whole || !endParagraph()) return false;
        items.length = depth;
        fence = { mark, offset: items[depth - 1]?.offset ?? 0 };
        return true;
      }
    } else if (first === "=" && UNDERLINE.test(content) && rows.length > 0) return false;
    else if ((first === "*" || first === "_") && RULE.test(content)) return !whole && rule(depth);
    const marker = MARKER.exec(content);
    if (marker) return !whole && item(depth, indentation, marker, from, to, inParagraph);
    if (rows.length > 0) return inParagraph && addRow(from, to);
    items.length = depth;
    return addRow(from, to);
  }

  function readFenced({ mark, offset }: Fence, from: number, to: number, indentation: number): boolean {
    if (from === to) return true;
    if (indentation < offset) return false;
    const closes = indentation - offset < 4 && text.startsWith(mark, from);
    if (closes && [...text.slice(from, to)].every((character) => character === mark[0])) fence = undefined;
    return true;
  }

  function addRow(start: number, end: number): boolean {
    rows.push({ start, end });
    return true;
  }

  /** The cells of a row without the blanks around them, behind a first entry; nothing where a mark may be escaped. */
  function tableCells(from: number, to: number): readonly Block[] {
    const row = text.slice(from, to);
    if (!row.startsWith("|") || !row.endsWith("|") || row.length < 2 || row.includes("\\")) return [];
    const cells: Block[] = [];
    for (let at = from; at < to; ) {
      const next = text.indexOf("|", at);
      let start = at;
      let end = next;
      while (start < end && text[start] === " ") start++;
      while (end > start && text[end - 1] === " ") end--;
      cells.push({ start, end });
      at = next + 1;
    }
    return cells;
  }

  function beginTable(from: number, to: number): boolean {
    const [title] = rows;
    if (rows.length !== 1 || !title) return false;
    const [, ...titles] = tableCells(title.start, title.end);
    const [, ...rules] = tableCells(from, to);
    if (titles.length === 0 || titles.length !== rules.length) return false;
    if (!rules.every((one) => /^:?-+:?$/.test(text.slice(one.start, one.end)))) return false;
    rows = [];
    const heads = titles.map((cell) => (cell.end > cell.start ? readInline(text, [cell], defined)?.plain : ""));
    if (heads.some((head) => head === undefined)) return false;
    table = heads as readonly string[];
    return true;
  }

  function addCells(cells: readonly Block[], titles: readonly string[]): boolean {
    if (cells.length !== titles.length) return false;
    return cells.every(
      (cell, column) =>
        cell.end === cell.start || leaf("cell", [cell], { headings: path, lead: titles[column] as string }) !== undefined,
    );
  }

  function rule(depth: number): boolean {
    if (!endParagraph()) return false;
    items.length = depth;
    const last = items.at(-1);
    if (last) last.lead = undefined;
    else lead = undefined;
    return true;
  }

  function item(
    depth: number,
    indentation: number,
    [all, marker = "", digits]: RegExpExecArray,
    from: number,
    to: number,
    inParagraph: boolean,
  ): boolean {
    // A list that begins with another number does not interrupt a paragraph.
    if (inParagraph && digits !== undefined && digits !== "1") return false;
    const sort = marker.at(-1) as string;
    const before = items[depth];
    if (before && before.marker !== sort) return false;
    const content = text.slice(from + all.length, to);
    if (INNER.test(content) || RULE.test(content)) return false;
    const box = BOX.exec(content);
    if (!box && /^\[[ \t\r\nxX]\]/.test(content)) return false;
    if (!endParagraph()) return false;
    const introduced = depth > 0 ? (items[depth - 1] as Item).lead : lead;
    items.length = depth;
    items.push({
      offset: indentation + all.length,
      marker: sort,
      task: box ? (box[1] === " " ? "open" : "done") : undefined,
      introduced,
      lead: introduced,
    });
    return addRow(from + all.length + (box?.[0].length ?? 0), to);
  }

  function heading(depth: number, from: number, to: number): boolean {
    if (!endParagraph()) return false;
    items.length = 0;
    if (to - from > HEADING_CHARACTERS) return false;
    const content = text
      .slice(from, to)
      .replace(/(?:^| +)#+$/, "")
      .replace(/ +$/, "");
    if (content === "") return false;
    while ((headings.at(-1)?.depth ?? 0) >= depth) headings.pop();
    path = headings.map(({ text: above }) => above);
    const plain = leaf("heading", [{ start: from, end: from + content.length }], { headings: path });
    if (plain === undefined) return false;
    headings.push({ depth, text: plain });
    path = [...path, plain];
    lead = plain;
    return true;
  }

  function endParagraph(): boolean {
    if (rows.length === 0) return true;
    const own = items.at(-1);
    const context = own ? { headings: path, lead: own.introduced, task: own.task } : { headings: path };
    const plain = leaf(own ? (own.task ? "task" : "item") : "sentence", rows, context);
    rows = [];
    if (own) own.lead = plain;
    else lead = plain;
    return plain !== undefined;
  }

  /** Adds what a paragraph or heading says; answers its words. */
  function leaf(node: NodeType, own: readonly Block[], context: Context): string | undefined {
    return readLeaf(text, own, node, context, { cutting, defined, segments });
  }
}
