// Reads paragraphs, headings, flat lists and code fences without the parser, which is slow; most text is this simple. Returns
// undefined for a block that may contain anything else, which then goes to the parser.
import type { NodeType, Segment } from "../../model.js";
import { closesFence, lines, type MarkdownBlock, openFence } from "./blocks.js";
import { append, type Context, type Cutting, joinLines, type Outline, pathOf, toSegments, type Visible } from "./visible.js";

const HEADING = /^(#{1,6})(?: +|$)/;
const RULE = /^([-*_])(?: *\1){2,} *$/;
const UNDERLINE = /^=+ *$/;
/** A rule, the underline of a heading, or the line below the header of a table. */
const DASHES = /^[ |:-]*-[ |:-]*$/;
const MARKER = /^([-*+]|(\d{1,9})[.)]) {1,4}(?=[^ ])/;
/** An item that is empty or contains code. */
const ODD_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: {5}| *$)/;
/** Starts something other than a paragraph. */
const INNER = /^(?:#{1,6}(?: |$)|[>|<=]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])(?: |$))/;

interface Item {
  /** The column of its text. */
  readonly offset: number;
  readonly marker: string;
}

/** Undefined if only the parser can read the block. */
export function readSimple(
  text: string,
  block: MarkdownBlock,
  outline: Outline,
  cutting: Cutting,
): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  const headings = [...outline.headings];
  let path = pathOf(outline);
  let lead = outline.lead;
  let item: Item | undefined;
  let rows: MarkdownBlock[] = [];
  let fence: string | undefined;
  for (const line of lines(text, block.start, block.end)) if (!readLine(line.start, line.end)) return undefined;
  if (!endParagraph()) return undefined;
  outline.headings.splice(0, outline.headings.length, ...headings);
  outline.lead = lead;
  return segments;

  function readLine(start: number, end: number): boolean {
    let from = start;
    while (from < end && text[from] === " ") from++;
    const indentation = from - start;
    const content = text.slice(from, end);
    if (fence !== undefined) {
      if (closesFence(fence, text.slice(start, end))) fence = undefined;
      return true;
    }
    if (from === end) return endParagraph();
    if (/[\t\0]/.test(content)) return false;
    const isInside = indentation >= (item?.offset ?? 0);
    const continues = rows.length > 0 && isInside;
    if (indentation >= 4 + (item?.offset ?? 0)) return continues && !DASHES.test(content) && addRow(from, end);
    if (content[0] === ">" || DASHES.test(content) || RULE.test(content) || ODD_ITEM.test(content)) return false;
    if (continues && UNDERLINE.test(content)) return false;
    const mark = openFence(content);
    const level = HEADING.exec(content);
    if (mark !== undefined || level) {
      if ((item && isInside) || !endParagraph()) return false;
      item = undefined;
      fence = mark;
      return level ? heading(level[1]?.length ?? 1, from + level[0].length, end) : true;
    }
    const marker = MARKER.exec(content);
    if (marker) return indentation === 0 && startItem(marker, from, end, continues);
    // A continuation line without the item's margin, and a further paragraph of an item, need the parser.
    if (item && isInside !== rows.length > 0) return false;
    if (!isInside) item = undefined;
    return addRow(from, end);
  }

  function addRow(start: number, end: number): boolean {
    rows.push({ start, end });
    return true;
  }

  function startItem([all, marker = "", digits]: RegExpExecArray, from: number, end: number, continues: boolean): boolean {
    // A list that starts with a number other than 1 does not interrupt a paragraph.
    if (continues && digits !== undefined && digits !== "1") return false;
    const kind = marker.at(-1) as string;
    if (item && item.marker !== kind) return false;
    const content = text.slice(from + all.length, end);
    if (INNER.test(content) || RULE.test(content) || !endParagraph()) return false;
    item = { offset: all.length, marker: kind };
    return addRow(from + all.length, end);
  }

  function heading(depth: number, from: number, end: number): boolean {
    // Closing marks and trailing blanks need the parser.
    if (from === end || /[# ]/.test(text[end - 1] as string)) return false;
    while ((headings.at(-1)?.depth ?? 0) >= depth) headings.pop();
    path = headings.map(({ text: above }) => above);
    const plain = leaf("heading", [{ start: from, end }], { headings: path });
    if (plain === undefined) return false;
    headings.push({ depth, text: plain });
    path = [...path, plain];
    lead = plain;
    return true;
  }

  function endParagraph(): boolean {
    if (rows.length === 0) return true;
    const plain = leaf(item ? "item" : "sentence", rows, item ? { headings: path, lead } : { headings: path });
    rows = [];
    if (!item) lead = plain;
    return plain !== undefined;
  }

  /** Adds the sentences of a paragraph or heading; returns its plain text, or undefined if it needs the parser. */
  function leaf(node: NodeType, own: readonly MarkdownBlock[], context: Context): string | undefined {
    const inline = readInline(text, own);
    if (!inline) return undefined;
    const sentences = toSegments(joinLines(inline.visible), node, context, cutting);
    for (const sentence of sentences) segments.push(sentence);
    const [opening, closing] = [sentences[0], sentences.at(-1)];
    if (opening) opening.start = Math.min(opening.start, (own[0] as MarkdownBlock).start);
    if (closing) closing.end = Math.max(closing.end, (own.at(-1) as MarkdownBlock).end);
    return inline.plain;
  }
}

/** Code closed on the same line, runs of emphasis marks, and marks that need the parser. */
const MARKS = /(`+)[^`]+\1(?!`)|\*+|_+|[\\&<[`]/g;

/** The visible text of a paragraph's rows, and the plain text without marks. */
function readInline(
  text: string,
  rows: readonly MarkdownBlock[],
): { readonly visible: Visible; readonly plain: string } | undefined {
  const visible: Visible = { text: "", runs: [] };
  let plain = "";
  const show = (start: number, end: number, words = text.slice(start, end)) => {
    append(visible, text.slice(start, end), start);
    plain += words;
  };
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]?.end;
    if (before !== undefined) show(before, before + (text.startsWith("\r\n", before) ? 2 : 1));
    // Trailing blanks may be a hard line break.
    if (text[row.end - 1] === " ") return undefined;
    const open: string[] = [];
    let done = row.start;
    for (const { 0: mark, 1: ticks, index: at } of text.slice(row.start, row.end).matchAll(MARKS)) {
      const start = row.start + at;
      const end = start + mark.length;
      const role = ticks === undefined ? roleOf(text, start, end) : "code";
      if (role === undefined) return undefined;
      if (role === "none") continue;
      show(done, start);
      done = end;
      if (role === "code") show(start, end, codeOf(mark, ticks?.length ?? 0));
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

/** What a run of * or _ does; undefined if that depends on other runs, and for all other marks. */
function roleOf(text: string, start: number, end: number): "opens" | "closes" | "none" | undefined {
  const [previous = " ", next = " "] = [text[start - 1], text[end]];
  if (!/[*_]/.test(text[start] as string) || /[*_]/.test(previous) || /[*_]/.test(next)) return undefined;
  const before = sortOf(previous);
  const after = sortOf(next);
  const opens = after === "letter" || (after === "mark" && before !== "letter");
  const closes = before === "letter" || (before === "mark" && after !== "letter");
  if (opens && closes) return text[start] === "_" && before === "letter" && after === "letter" ? "none" : undefined;
  return opens ? "opens" : closes ? "closes" : "none";
}

function sortOf(character: string): "blank" | "mark" | "letter" {
  if (/\s/.test(character)) return "blank";
  return /[\p{P}\p{S}]/u.test(character) ? "mark" : "letter";
}
