// Splits a text into blocks that can be parsed separately, and decides which of them are unsafe for the parser.
import * as limits from "../../limits.js";

export type MarkdownBlock = { readonly start: number; readonly end: number };

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
// A line that certainly starts a list, even directly below a paragraph.
const INTERRUPTS = /^ {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t]/;
const MARKER = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const ANGLE = /^(?:[ \t>*+-]|\d{1,9}[.)])*</;
const RAW_HTML = /^ {0,3}<(?:(script|pre|style|textarea)(?=[ \t>]|$)|(!--)|(\?)|(![a-z])|(!\[CDATA\[))/i;
const RAW_ENDS = [/<\/(?:script|pre|style|textarea)>/i, /-->/, /\?>/, />/, /\]\]>/];

/** A short name with a colon at the start of a line: notes keep their state in such lines. */
const FIELD = /^[ \t]{0,3}(?:\*\*|__)?[\p{L}\p{N}][\p{L}\p{N}'’/&() -]{0,48}(?:\*\*|__)?[:：](?:\*\*|__)?(?:[ \t]|$)/u;

/** In notes, a line with a field is a block of its own, and so is an unindented line after a list. */
function standsAlone(line: string, list: boolean): boolean {
  if (line.includes("|")) return false;
  return list ? !/^[ \t>]/.test(line) && !LIST_ITEM.test(line) : FIELD.test(line);
}

/** The text column of the last item in the outermost list; NaN if it is not certain. */
type List = { readonly inner: number };

/** Blocks end at blank lines, except inside code fences, list items and HTML that continues. After a blank line, an unindented
 * line ends all lists and quotes with the fences in them, so only top-level fences are tracked. If it is not certain how the
 * parser would read a line, the rest of the text is one block. */
export function splitBlocks(text: string, notes = false): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let start = -1;
  let end = 0;
  let fence: string | undefined;
  let html: RegExp | undefined;
  let list: List | undefined;
  let blank = true;
  /** An HTML tag was opened; it can continue up to the next blank line. */
  let angle = false;
  let indented = false;
  const flush = () => {
    if (start >= 0) blocks.push({ start, end });
    start = -1;
    list = undefined;
  };
  for (const line of lines(text)) {
    const content = text.slice(line.start, line.end);
    if (fence !== undefined || html) {
      end = line.end;
      if (fence !== undefined && closesFence(fence, content)) fence = undefined;
      if (html?.test(content)) html = undefined;
      continue;
    }
    if (/^[ \t]*$/.test(content)) {
      blank = true;
      angle = false;
      continue;
    }
    const columns = columnsOf(content);
    if (blank && start >= 0 && !indented && !(list && columns > 0)) flush();
    // A long list may be split between its items; other blocks may not be split.
    else if (list && columns < list.inner && !angle && end - start > limits.BLOCK_CHARACTERS / 4 && LIST_ITEM.test(content))
      flush();
    else if (start >= 0 && notes && standsAlone(content, list !== undefined)) flush();
    if (start < 0) start = line.start;
    list = listAfter(list, content, columns, blank);
    const angled = angle;
    angle ||= content.includes("<") && ANGLE.test(content);
    indented = columns > 3;
    blank = false;
    end = line.end;
    const mark = openFence(content.trimStart());
    const raw = content.includes("<") ? RAW_HTML.exec(content) : null;
    if ((mark === undefined || (columns > 3 && !list)) && !raw) continue;
    // Below a tag, or where a list may have ended, it is not certain what starts here.
    if (angled || (list && columns > 0 && !(columns >= list.inner))) {
      end = text.length;
      break;
    }
    if (list && columns > 0) continue;
    list = undefined;
    fence = mark;
    const close = raw && (RAW_ENDS[raw.slice(1).findIndex((one) => one !== undefined)] as RegExp);
    if (close && !close.test(content)) html = close;
  }
  flush();
  return blocks;
}

/** Columns before the text of a line; a tab goes to the next multiple of four. */
export function columnsOf(line: string): number {
  let columns = 0;
  for (const mark of line) {
    if (mark === " ") columns++;
    else if (mark === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

function listAfter(list: List | undefined, line: string, columns: number, blank: boolean): List | undefined {
  const marker = LIST_ITEM.test(line) ? MARKER.exec(line)?.[0] : undefined;
  if (!list && (marker === undefined || !(blank || INTERRUPTS.test(line)))) return undefined;
  if (list && columns >= list.inner) return list;
  // After an unindented line, or a marker followed by nothing or by code, no column is certain.
  const isSure = marker !== undefined && marker.length < line.length && !/\t| {5}$/.test(marker);
  return { inner: isSure && (!list || list.inner > 0) ? marker.length : Number.NaN };
}

/** The marks of a fence that starts here. The info string after backticks contains no backticks. */
export const openFence = (content: string): string | undefined => /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[0];

export const closesFence = (mark: string, line: string): boolean =>
  /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1]?.startsWith(mark) === true;

const LINE_END = /[\n\r]/g;

/** Yields the lines one by one: a list of all lines of a long text would burden the garbage collector. */
export function* lines(text: string, from = 0, to = text.length): Generator<MarkdownBlock, void> {
  for (let start = from; start < to; ) {
    LINE_END.lastIndex = start;
    const end = LINE_END.test(text) ? Math.min(to, LINE_END.lastIndex - 1) : to;
    yield { start, end };
    start = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
  }
}

/** Is the block safe to parse? Each limit excludes an input that takes the parser very long; see limits.ts. */
export function isParsable(text: string, { start, end }: MarkdownBlock): boolean {
  if (end - start > limits.BLOCK_CHARACTERS) return false;
  let emphasis = 0;
  let brackets = 0;
  let unclosed = 0;
  let openers = 0;
  let links = 0;
  let underlines = 0;
  let count = 0;
  for (const line of lines(text, start, end)) {
    if (++count > limits.BLOCK_LINES) return false;
    const { markers, indentation } = containers(text, line.start, line.end);
    if (markers > limits.BLOCK_NESTING || indentation > limits.BLOCK_INDENTATION) return false;
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
    emphasis <= limits.BLOCK_EMPHASIS_MARKS &&
    brackets <= limits.BLOCK_BRACKETS &&
    unclosed <= limits.BLOCK_UNCLOSED_BRACKETS &&
    openers <= limits.BLOCK_OPENERS &&
    links <= limits.BLOCK_UNCLOSED_LINKS &&
    underlines <= limits.BLOCK_UNDERLINES
  );
}

/** Counts the block quote and list markers before the text of a line. */
export function containers(text: string, start: number, end: number): { markers: number; indentation: number; content: number } {
  let markers = 0;
  let at = start;
  let content = start;
  for (;;) {
    while (at < end && (text[at] === " " || text[at] === "\t")) at++;
    content = at;
    if (markers > limits.BLOCK_NESTING) break;
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
