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

// The marks of containers, and a fence: the info behind backticks holds none.
const FENCE = /^((?:[ \t]*(?:[-*+>]|\d{1,9}[.)]))*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const RAW_HTML = /^ {0,3}<(?:(script|pre|style|textarea)\b|(!--))/i;

/** A short name with a colon at the beginning of a line: notes hold their state in such lines. */
const FIELD = /^[ \t]{0,3}(?:\*\*|__)?[\p{L}\p{N}][\p{L}\p{N}'’/&() -]{0,48}(?:\*\*|__)?[:：](?:\*\*|__)?(?:[ \t]|$)/u;

/** In notes a line that says a field stands by itself, and so does one at the margin behind a list. */
function standsAlone(line: string, list: boolean): boolean {
  if (line.includes("|")) return false;
  return list ? !/^[ \t>]/.test(line) && !LIST_ITEM.test(line) : FIELD.test(line);
}

/** Blocks end at blank lines, but not inside code fences, list items and HTML that runs on. */
export function splitBlocks(text: string, notes = false): readonly Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = 0;
  let fence: Fence | undefined;
  let html: RegExp | undefined;
  let list = false;
  let blank = false;
  const flush = () => {
    if (start >= 0) blocks.push({ start, end });
    start = -1;
    list = false;
  };
  for (const line of lines(text)) {
    const content = text.slice(line.start, line.end);
    const empty = content.trim() === "";
    if (fence && isLeft(fence, content)) fence = undefined;
    if (fence === undefined && html === undefined) {
      if (empty) {
        blank = true;
        continue;
      }
      const continues = list && /^[ \t]/.test(content);
      if (blank && start >= 0 && !continues) flush();
      // A long list may be cut between its items; a block of any other sort may not.
      else if (start >= 0 && list && end - start > BLOCK_CHARACTERS / 4 && LIST_ITEM.test(content)) flush();
      else if (start >= 0 && notes && standsAlone(content, list)) flush();
      if (start < 0) start = line.start;
      list ||= LIST_ITEM.test(content);
    }
    blank = false;
    end = line.end;
    if (fence !== undefined) {
      if (isClosed(fence, content)) fence = undefined;
    } else if (html !== undefined) {
      if (html.test(content)) html = undefined;
    } else {
      fence = openFence(content, list);
      const raw = fence === undefined ? RAW_HTML.exec(content) : null;
      if (raw) {
        const close = raw[2] ? /-->/ : new RegExp(`</${raw[1]}>`, "i");
        if (!close.test(content)) html = close;
      }
    }
  }
  flush();
  return blocks;
}

interface Fence {
  readonly mark: string;
  /** It stands in a quotation, and ends with it. */
  readonly quoted: boolean;
  /** Its column in a list item, whose end it does not outlive. */
  readonly offset: number;
}

function openFence(line: string, list: boolean): Fence | undefined {
  const [, prefix = "", mark] = FENCE.exec(line) ?? [];
  const bare = prefix.trim() === "";
  // Four blanks outside of a list make indented code.
  if (mark === undefined || (bare && !list && (prefix.length > 3 || prefix.includes("\t")))) return undefined;
  return { mark, quoted: prefix.includes(">"), offset: bare && !list ? 0 : prefix.length };
}

function isLeft({ quoted, offset }: Fence, line: string): boolean {
  if (quoted) return !/^ {0,3}>/.test(line);
  const margin = line.length - line.trimStart().length;
  return offset > 0 && line.trim() !== "" && margin < Math.max(1, offset - 3);
}

function isClosed({ mark }: Fence, line: string): boolean {
  const content = line.trim().replace(/^(?:>\s?)+/, "");
  return content.startsWith(mark) && [...content].every((character) => character === mark[0]);
}

export function* lines(text: string, from = 0, to = text.length): Iterable<{ start: number; end: number }> {
  let start = from;
  while (start < to) {
    let end = start;
    while (end < to && text[end] !== "\n" && text[end] !== "\r") end++;
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
