// Block quotes that hold nothing but paragraphs and quotes of such, every line of them with its marks.
// Where a line may go on lazily, or holds anything else, the quote is left to the parser.
import { BLOCK_NESTING } from "../limits.js";
import type { Segment } from "../model.js";
import { type Block, lines } from "./blocks.js";
import { readLeaf } from "./leaf.js";
import { type Outline, pathOf } from "./outline.js";
import { beginsOther } from "./simple.js";
import type { Row } from "./simple-inline.js";
import type { Cutting } from "./visible.js";

export function readQuote(
  text: string,
  block: Block,
  outline: Outline,
  cutting: Cutting,
  defined: boolean,
): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  const context = { headings: pathOf(outline) };
  let rows: Row[] = [];
  /** In how many quotes the paragraph stands. */
  let depth = 0;
  for (const { start, end } of lines(text, block.start, block.end)) {
    const { marks, from, indentation } = marksOf(text, start, end);
    let to = end;
    while (to > from && text[to - 1] === " ") to--;
    if (marks === 0 || marks > BLOCK_NESTING) return undefined;
    // A quote in a quote ends the paragraph above it, and so does a line with marks alone.
    if ((from === to || marks > depth) && !endParagraph()) return undefined;
    if (from === to) continue;
    if (rows.length > 0 && marks < depth) return undefined;
    const content = text.slice(from, to);
    if (indentation > 3 || /[\t\0]/.test(content) || beginsOther(content)) return undefined;
    // To the parser a line begins behind its marks; whether emphasis opens is asked of the character before it.
    if (text[from - 1] === ">" && /^[*_]/.test(content)) return undefined;
    depth = marks;
    rows.push({ start: from, end: to, line: start });
  }
  return endParagraph() ? segments : undefined;

  function endParagraph(): boolean {
    const own = rows;
    rows = [];
    return own.length === 0 || readLeaf(text, own, "quote", context, { cutting, defined, segments }) !== undefined;
  }
}

/** The marks of quotes before a line, and the blanks behind them that are none of theirs. */
function marksOf(text: string, start: number, end: number): { marks: number; from: number; indentation: number } {
  let marks = 0;
  let margin = start;
  for (;;) {
    let at = margin;
    while (at < end && text[at] === " ") at++;
    const indentation = at - margin;
    if (at >= end || text[at] !== ">" || indentation > 3) return { marks, from: at, indentation };
    marks++;
    // One blank belongs to the mark.
    margin = text[at + 1] === " " ? at + 2 : at + 1;
  }
}
