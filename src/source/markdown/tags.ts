// Handles prompts in XML style. Markdown treats a line that starts with a tag, and all lines up to the next blank line, as raw
// HTML. Such tags are replaced with blanks, so that the text between them is read. All other characters keep their offsets.
import { columnsOf, lines } from "./blocks.js";

const LINE_OF_TAG = /^[ \t]*<[a-z/]/im;
const TAG = /^<(\/?)([a-z][\w.-]*)[ \t]*>/i;
const CLOSING = /<\/([a-z][\w.-]*)[ \t]*>/gi;
const CLOSING_AT_END = /<\/([a-z][\w.-]*)[ \t]*>[ \t]*$/i;
/** Starts a block of its own, however far it is indented. */
const BEGINS = /^(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** HTML elements that start a raw block even when text follows on the same line. */
const BLOCKS = words(
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul",
);
/** Other HTML elements, and a model's thinking: their content is not read. */
const NOT_READ = words(
  "a b button code em i img input label math pre script small span strong style svg textarea think thinking",
);

const isRead = (name: string) => !BLOCKS.has(name) && !NOT_READ.has(name) && !/[-_.]/.test(name);

export function blankTags(text: string): string {
  if (!LINE_OF_TAG.test(text)) return text;
  const kept: string[] = [];
  let copied = 0;
  const replace = (start: number, end: number, by: string) => {
    kept.push(text.slice(copied, start), by);
    copied = end;
  };
  /** The last closing position of each tag. */
  const closed = new Map<string, number>();
  for (const { index, 1: name = "" } of text.matchAll(CLOSING)) closed.set(name.toLowerCase(), index);
  /** Tags that were replaced and are still open. */
  const open = new Map<string, number>();
  const count = (name: string, by: number) => {
    const now = (open.get(name) ?? 0) + by;
    if (now > 0) open.set(name, now);
    else open.delete(name);
  };
  let isFenced = false;
  /** The line above is blank, or was made blank. */
  let apart = true;
  for (const { start, end } of lines(text)) {
    const line = text.slice(start, end);
    const content = line.trimStart();
    const from = end - content.length;
    const wasApart = apart;
    apart = content === "";
    if (/^(?:`{3}|~{3})/.test(content)) isFenced = !isFenced;
    else if (!isFenced && !apart) blankIn(content, from, end, wasApart, columnsOf(line));
  }
  if (copied === 0) return text;
  kept.push(text.slice(copied));
  return kept.join("");

  function blankIn(content: string, from: number, end: number, wasApart: boolean, columns: number): void {
    const [tag = "", closes, given = ""] = TAG.exec(content) ?? [];
    const name = given.toLowerCase();
    const rest = content.slice(tag.length).trim();
    // Deeply indented text in a tag would be read as code.
    if (columns > 3 && open.size === 0) return;
    if (columns > 3 && (wasApart || tag !== "" || BEGINS.test(content))) replace(from - 1, from, "\n");
    const last = CLOSING_AT_END.exec(content);
    const lastName = last?.[1]?.toLowerCase() ?? "";
    const isPair = last !== null && last.index >= tag.length && lastName === name;
    const isOpened = tag !== "" && !closes && isRead(name) && (closed.get(name) ?? -1) > from;
    // One word between two tags is data.
    if (isOpened && isPair && !/\S\s+\S/.test(content.slice(tag.length, last.index))) return;
    if (isOpened || (closes && (isRead(name) || /[-_.]|^think/.test(name)))) {
      count(name, closes ? -1 : 1);
      replace(from, from + tag.length, `${" ".repeat(tag.length - 1)}\n`);
      apart = rest === "";
    } else if (BLOCKS.has(name) && !closes && rest !== "" && !rest.includes("<")) {
      // The author writes about the tag, so its name is part of the sentence.
      replace(from, from + 1, " ");
      replace(from + tag.length - 1, from + tag.length, " ");
    }
    if (last && last.index >= tag.length && open.has(lastName)) {
      count(lastName, -1);
      replace(from + last.index, end, `\n${" ".repeat(end - from - last.index - 1)}`);
      apart = true;
    }
  }
}
