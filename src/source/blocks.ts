// Cuts a text into blocks that can be parsed by themselves, and tells which of them a parser must not see.
import {
  BLOCK_BRACKETS,
  BLOCK_CHARACTERS,
  BLOCK_EMPHASIS_MARKS,
  BLOCK_INDENTATION,
  BLOCK_LINES,
  BLOCK_NESTING,
  BLOCK_OPENERS,
  BLOCK_UNCLOSED_BRACKETS,
  BLOCK_UNCLOSED_LINKS,
  BLOCK_UNDERLINES,
} from "../limits.js";

export interface Block {
  readonly start: number;
  readonly end: number;
}

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
// What surely begins a list, also right below a paragraph.
const INTERRUPTS = /^ {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t]/;
const MARKER = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const ANGLE = /^(?:[ \t>*+-]|\d{1,9}[.)])*</;
const RAW_HTML = /^ {0,3}<(?:(script|pre|style|textarea)(?=[ \t>]|$)|(!--)|(\?)|(![a-z])|(!\[CDATA\[))/i;
const RAW_ENDS = [/<\/(?:script|pre|style|textarea)>/i, /-->/, /\?>/, />/, /\]\]>/];
// What the parser takes for text behind indented code, blank lines or not.
const UNABLE = /^ {0,3}(?:\d|<|[-*+][ \t]*$|\[)/;

/** A short name with a colon at the beginning of a line: notes hold their state in such lines. */
const FIELD = /^[ \t]{0,3}(?:\*\*|__)?[\p{L}\p{N}][\p{L}\p{N}'’/&() -]{0,48}(?:\*\*|__)?[:：](?:\*\*|__)?(?:[ \t]|$)/u;

/** In notes a line that says a field stands by itself, and so does one at the margin behind a list. */
function standsAlone(line: string, list: boolean): boolean {
  if (line.includes("|")) return false;
  return list ? !/^[ \t>]/.test(line) && !LIST_ITEM.test(line) : FIELD.test(line);
}

/**
 * Blocks end at blank lines, but not inside code fences, list items and HTML that runs on. Where it is not sure what the
 * parser would make of a line, the rest of the text is one block.
 */
export function splitBlocks(text: string, notes = false): readonly Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = 0;
  let fence: Fence | undefined;
  let html: RegExp | undefined;
  let list: List | undefined;
  let blank = true;
  /** Tags may run up to the next blank line. */
  let angle = false;
  let indented = false;
  const flush = () => {
    if (start >= 0) blocks.push({ start, end });
    start = -1;
    list = undefined;
  };
  for (const line of lines(text)) {
    const content = text.slice(line.start, line.end);
    const empty = /^[ \t]*$/.test(content);
    const columns = columnsOf(content);
    const angled = angle;
    let unsure = false;
    if (fence) {
      const left = isLeft(fence, content, columns, empty);
      if (left) fence = undefined;
      unsure = left === undefined;
    }
    if (fence === undefined && html === undefined) {
      if (empty) {
        blank = true;
        angle = false;
        continue;
      }
      const continues = (list && columns > 0) || (indented && UNABLE.test(content));
      if (blank && start >= 0 && !continues) flush();
      // A long list may be cut between its items; a block of any other sort may not.
      else if (start >= 0 && list?.sure && !angle && end - start > BLOCK_CHARACTERS / 4 && isItem(content, list)) flush();
      else if (start >= 0 && notes && standsAlone(content, list !== undefined)) flush();
      if (start < 0) start = line.start;
      list = listBehind(list, content, columns, blank);
      angle ||= content.includes("<") && ANGLE.test(content);
      // Also where a list seems to go on: a line at the margin may have ended it.
      indented = columns > 3;
    }
    blank = false;
    end = line.end;
    if (fence !== undefined) {
      const closed = isClosed(fence, content, columns);
      if (closed) fence = undefined;
      unsure ||= closed === undefined;
    } else if (html !== undefined) {
      if (html.test(content)) html = undefined;
    } else {
      const opened = content.includes("```") || content.includes("~~~") ? openFence(content, columns, list) : undefined;
      const raw = opened || !content.includes("<") ? null : RAW_HTML.exec(content);
      if (opened === "unsure" || (opened && angled)) unsure = true;
      else if (opened) fence = opened;
      else if (raw) {
        const close = RAW_ENDS[raw.slice(1).findIndex((one) => one !== undefined)] as RegExp;
        if (!close.test(content)) html = close;
        // Below a tag it may be HTML of its own, or belong to the tag and end with it at a blank line.
        unsure = (angled && html !== undefined) || (list !== undefined && columns > 0);
      }
    }
    if (unsure) {
      end = text.length;
      break;
    }
  }
  flush();
  return blocks;
}

/** Columns before the text of a line; a tab goes to the next fourth. */
function columnsOf(line: string): number {
  let columns = 0;
  for (const mark of line) {
    if (mark === " ") columns++;
    else if (mark === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

interface List {
  /** It is one, and not the text of a paragraph that looks like one. */
  readonly sure: boolean;
  /** Where its items stand. */
  readonly margin: number;
  /** The column of the text of the last item of the outermost list, and of the last item at all. */
  readonly inner: number;
  readonly deepest: number;
}

const isItem = (line: string, { margin }: List) => LIST_ITEM.test(line) && columnsOf(line) <= margin;

function listBehind(list: List | undefined, line: string, columns: number, blank: boolean): List | undefined {
  if (!list && !LIST_ITEM.test(line)) return undefined;
  const marker = MARKER.exec(line)?.[0];
  if (marker === undefined) return list;
  const text = columnsOf(marker.replace(/[^ \t]/g, " "));
  // Behind a marker with nothing or code behind it, no column is sure.
  const offset = marker.length === line.length || /\t| {5}$/.test(marker) ? Number.NaN : text;
  if (!list) return { sure: blank || INTERRUPTS.test(line), margin: columns, inner: offset, deepest: offset };
  return { ...list, inner: columns < list.inner ? offset : list.inner, deepest: offset };
}

interface Fence {
  readonly mark: string;
  /** It stands in a quotation, and ends with it. */
  readonly quoted: boolean;
  /** Its column, and that of the text of the outermost list item that it stands in. */
  readonly offset: number;
  readonly inner: number;
}

// The marks of containers, and a fence: the info behind backticks holds none.
const FENCE = /^((?:[ \t]*(?:[-*+>]|\d{1,9}[.)]))*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

function openFence(line: string, columns: number, list: List | undefined): Fence | "unsure" | undefined {
  const [, prefix = "", mark] = FENCE.exec(line) ?? [];
  if (mark === undefined) return undefined;
  if (prefix.includes(">")) return !list && /^ {0,3}> ?$/.test(prefix) ? { mark, quoted: true, offset: 0, inner: 0 } : "unsure";
  if (prefix.trim() !== "") {
    if (!list || /\t| {5}/.test(prefix) || columns > 3) return "unsure";
    return { mark, quoted: false, offset: prefix.length, inner: list.inner };
  }
  if (!list || columns < list.inner) {
    // Four blanks outside of a list make indented code.
    if (columns > 3) return list ? "unsure" : undefined;
    return { mark, quoted: false, offset: 0, inner: 0 };
  }
  const within = (offset: number) => columns >= offset && columns < offset + 4;
  return within(list.deepest) || within(list.inner) ? { mark, quoted: false, offset: columns, inner: list.inner } : "unsure";
}

/** Does the line end what the fence stands in? undefined: it cannot be told. */
function isLeft({ quoted, offset, inner }: Fence, line: string, columns: number, empty: boolean): boolean | undefined {
  if (quoted) return !/^ {0,3}>/.test(line);
  if (empty || columns >= offset) return false;
  return columns < inner ? true : undefined;
}

/** Does the line end the fence? undefined: it cannot be told. */
function isClosed({ mark, quoted, offset, inner }: Fence, line: string, columns: number): boolean | undefined {
  const run = /^[ \t]*([`~]+)[ \t]*$/.exec(quoted ? line.replace(/^ {0,3}> ?/, "") : line)?.[1];
  if (!run?.startsWith(mark) || [...run].some((character) => character !== mark[0])) return false;
  if (quoted) return /^ {0,3}> {0,4}[`~]/.test(line) ? true : undefined;
  const further = columns - offset;
  return further < 1 ? true : inner === 0 || further > 3 ? further < 4 : undefined;
}

const LINE_END = /[\n\r]/g;

/** One by one: all lines of a long text at once outlive what V8 collects quickly, and cost more than they hold. */
export function* lines(text: string, from = 0, to = text.length): Generator<Block, void> {
  for (let start = from; start < to; ) {
    LINE_END.lastIndex = start;
    const end = LINE_END.test(text) ? Math.min(to, LINE_END.lastIndex - 1) : to;
    yield { start, end };
    start = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
  }
}

/** Can the parser be trusted with this block? Each bound stands against an input that takes it down; see limits.ts. */
export function isParsable(text: string, { start, end }: Block): boolean {
  if (end - start > BLOCK_CHARACTERS) return false;
  let emphasis = 0;
  let brackets = 0;
  let unclosed = 0;
  let openers = 0;
  let links = 0;
  let underlines = 0;
  let count = 0;
  for (const line of lines(text, start, end)) {
    if (++count > BLOCK_LINES) return false;
    const { markers, indentation } = containers(text, line.start, line.end);
    if (markers > BLOCK_NESTING || indentation > BLOCK_INDENTATION) return false;
    if (/^[ >]*(?:=+|-+)\s*$/.test(text.slice(line.start, Math.min(line.end, line.start + 200)))) underlines++;
    for (let at = line.start; at < line.end; at++) {
      const mark = text[at];
      if (mark === "*" || mark === "_" || mark === "~") emphasis++;
      else if (mark === "`" || mark === "<" || mark === "&" || mark === "|") openers++;
      else if (mark === "[") {
        brackets++;
        unclosed++;
        if (text[at + 1] === "[" && text[at - 1] !== "[") links++;
      } else if (mark === "]") {
        if (unclosed > 0) unclosed--;
        if (text[at + 1] === "]" && links > 0) links--;
      }
    }
  }
  return (
    emphasis <= BLOCK_EMPHASIS_MARKS &&
    brackets <= BLOCK_BRACKETS &&
    unclosed <= BLOCK_UNCLOSED_BRACKETS &&
    openers <= BLOCK_OPENERS &&
    links <= BLOCK_UNCLOSED_LINKS &&
    underlines <= BLOCK_UNDERLINES
  );
}

/** Block quote and list markers before the text of a line. */
export function containers(text: string, start: number, end: number): { markers: number; indentation: number; content: number } {
  let markers = 0;
  let at = start;
  let content = start;
  for (;;) {
    while (at < end && (text[at] === " " || text[at] === "\t")) at++;
    content = at;
    if (markers > BLOCK_NESTING) break;
    if (text[at] === ">") at++;
    else if (/[-*+]/.test(text[at] ?? "") && /[ \t]/.test(text[at + 1] ?? "")) at += 2;
    else {
      let digits = at;
      while (digits < end && digits - at < 9 && /[0-9]/.test(text[digits] as string)) digits++;
      if (digits === at || !/[.)]/.test(text[digits] ?? "") || !/[ \t]/.test(text[digits + 1] ?? "")) break;
      at = digits + 2;
    }
    markers++;
  }
  return { markers, indentation: markers > 0 ? content - start : 0, content };
}
