// Reads the words and marks of simple lines: code, links, escapes and emphasis that need no look at other lines.
import type { MarkdownBlock } from "./blocks.js";
import { append, type Visible } from "./visible.js";

/** Thrown where only the parser knows what a text means. */
export const NOT_SIMPLE = Symbol("not simple");

/** A line of a paragraph without the blanks around it. */
export type Row = MarkdownBlock & { readonly lineEnd: number };

export function toRow(text: string, from: number, lineEnd: number): Row {
  let [start, end] = [from, lineEnd];
  while (end > start && text[end - 1] === " ") end--;
  while (start < end && text[start] === " ") start++;
  return { start, end, lineEnd };
}

/** Code closed on the same line, links, tags, escapes, runs of emphasis marks, and marks that need the parser: other backticks,
 * escapes, tags and links, and entities. */
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
export function readInline(text: string, rows: readonly Row[]): { readonly visible: Visible; readonly plain: string } {
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
      if (role === undefined) throw NOT_SIMPLE;
      if (role === "none") continue;
      // The source of an escaped backslash is the first one.
      show(done, escaped === "\\" ? end - 1 : start);
      done = end;
      if (ticks !== undefined) show(start, end, codeOf(mark, ticks.length));
      else if (label !== undefined) show(start + 1, start + 1 + label.length);
      else if (escaped !== undefined) done = escaped === "\\" ? end : end - 1;
      else if (role === "opens") open.push(mark);
      else if (open.pop() !== mark) throw NOT_SIMPLE;
    }
    if (open.length > 0) throw NOT_SIMPLE;
    show(done, row.end);
  }
  return { visible, plain };
}

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
