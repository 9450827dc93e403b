// Paragraphs without any markup need no parser: most of what people say in a session is that.
import { type Block, lines } from "./blocks.js";
import { append, type Visible } from "./visible.js";

// Characters that may mean something to markdown, and beginnings of lines that do.
const MARKUP = /[*_~`[\]<>&\\#|\t\0]| {2}[\r\n]/;
const LINE_START = /^(?: {4,}| {0,3}(?:[-+=:]|\d{1,9}[.)]))/;

/** The visible text of a block that is one plain paragraph; undefined when it may be anything else. */
export function readPlain(text: string, { start, end }: Block): Visible | undefined {
  if (MARKUP.test(text.slice(start, end))) return undefined;
  const visible: Visible = { text: "", runs: [] };
  let behind = -1;
  for (const line of lines(text, start, end)) {
    const content = text.slice(line.start, line.end);
    if (LINE_START.test(content) || content.trim() === "") return undefined;
    // For markdown only blanks are margin; other white space is text.
    let from = line.start;
    let to = line.end;
    while (text[from] === " ") from++;
    while (text[to - 1] === " ") to--;
    if (behind >= 0) append(visible, text.slice(behind, line.start), behind);
    append(visible, text.slice(from, to), from);
    behind = line.end;
  }
  return visible;
}
