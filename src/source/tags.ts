// What people write between tags is text. Markdown takes a line that begins with a tag for the beginning of raw HTML, and
// all lines up to the next blank one with it. Here such tags are blanked, so that what they hold is Markdown
// again; every other character stays at its place.
import { type Block, lines } from "./blocks.js";

const LINE_OF_TAG = /^[ \t]*<[a-z/!?]/im;
const TAG = /<(\/?)([a-z][\w.-]*)((?:[ \t][^<>\n\r]*)?)>/giy;
const ANY_TAG = new RegExp(TAG.source, "gi");
const CLOSING = /<\/([a-z][\w.-]*)[ \t]*>/gi;
const ENDING = /<\/([a-z][\w.-]*)[ \t]*>[ \t]*$/i;
const FENCE = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)]))*[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
/** What Markdown takes for raw up to its own end, and where that is. */
const RAW = /^<(?:(script|pre|style|textarea)(?=[ \t>]|$)|(!--)|(\?)|(![a-z])|(!\[CDATA\[))/i;
const RAW_ENDS = [/<\/(?:script|pre|style|textarea)>/i, /-->/, /\?>/, />/, /\]\]>/];
/** What begins something of its own, however far it is from the margin. */
const BEGINS = /^(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/;

/** A host's own text, drafts and code: what stands in these is left as Markdown has it. */
const isLeft = (name: string) => /[-_.]|^(?:code|svg|math|think|thinking)$/i.test(name);

/** Those that begin raw HTML also with text behind them. */
const FLOW = new Set(
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul".split(
    " ",
  ),
);

export function withoutTags(text: string): string {
  if (!LINE_OF_TAG.test(text)) return text;
  const kept: string[] = [];
  let copied = 0;
  const replace = (start: number, end: number, by: string) => {
    kept.push(text.slice(copied, start), by);
    copied = end;
  };
  const closings = closingsOf(text);
  /** Tags that were blanked and not closed yet, and how far the text reaches that stands in one. */
  const open = new Map<string, number>();
  let inside = 0;
  /** The line above is blank, or now is. */
  let apart = true;
  for (const chunk of chunksOf(text)) {
    if (chunk.tagged ? isMarkup(text, chunk.lines) : (chunk.lines[0]?.start ?? inside) >= inside) continue;
    for (const line of chunk.lines) blankIn(line);
    apart = true;
  }
  if (copied === 0) return text;
  kept.push(text.slice(copied));
  return kept.join("");

  function blankIn(line: Line): void {
    const { start, end } = line;
    if (line.fenced) {
      apart = false;
      return;
    }
    let from = start;
    while (from < end && (text[from] === " " || text[from] === "\t")) from++;
    const content = text.slice(from, end);
    const isFar = from - start > 3 || text.slice(start, from).includes("\t");
    if (isFar && start >= inside) return;
    if (isFar && (apart || BEGINS.test(content) || content.startsWith("<"))) {
      // Far from the margin it would be code.
      replace(from - 1, from, "\n");
    }
    apart = false;
    if (line.isRaw) return;
    if (isTags(content)) {
      if (!isOwn(content)) return blank(from, end);
      return;
    }
    const ending = ENDING.exec(content);
    TAG.lastIndex = 0;
    const [tag, closes, given = ""] = TAG.exec(content) ?? [];
    const name = given.toLowerCase();
    if (tag !== undefined) {
      const reach = closes ? undefined : closings(name, from);
      if (closes ? isLeft(name) || open.has(name) : reach !== undefined && !isLeft(name)) {
        if (reach !== undefined) enter(name, reach);
        else leave(name);
        replace(from, from + tag.length, `${" ".repeat(tag.length - 1)}\n`);
      } else if (FLOW.has(name) && from - start !== 3) {
        // It is talked about: the name is part of what is said.
        const last = from + tag.length - 1;
        replace(from, from + 1, " ");
        replace(last, last + 1, " ");
      }
    }
    const closed = ending?.[1]?.toLowerCase();
    if (ending && closed !== undefined && open.has(closed)) {
      leave(closed);
      replace(from + ending.index, end, `\n${" ".repeat(end - from - ending.index - 1)}`);
    }
  }

  /** A line of tags alone. Of those that are left, only their end is taken away: what follows is no part of them. */
  function isOwn(content: string): boolean {
    for (const [, closes, name = ""] of content.matchAll(ANY_TAG)) if (!closes && isLeft(name)) return true;
    return false;
  }

  function blank(from: number, end: number): void {
    for (const { index, 1: closes, 2: name = "" } of text.slice(from, end).matchAll(ANY_TAG)) {
      if (closes) leave(name.toLowerCase());
      else {
        const reach = closings(name.toLowerCase(), from + index);
        if (reach !== undefined) enter(name.toLowerCase(), reach);
      }
    }
    replace(from, end, " ".repeat(end - from));
    apart = true;
  }

  function enter(name: string, reach: number): void {
    open.set(name, (open.get(name) ?? 0) + 1);
    inside = Math.max(inside, reach);
  }

  function leave(name: string): void {
    const count = (open.get(name) ?? 0) - 1;
    if (count > 0) open.set(name, count);
    else open.delete(name);
  }
}

/** Answers where a tag is closed next; asked from the beginning of the text to its end. */
function closingsOf(text: string): (name: string, from: number) => number | undefined {
  const places = new Map<string, { readonly at: number[]; next: number }>();
  for (const { index, 1: name = "" } of text.matchAll(CLOSING)) {
    const known = places.get(name.toLowerCase());
    if (known) known.at.push(index);
    else places.set(name.toLowerCase(), { at: [index], next: 0 });
  }
  return (name, from) => {
    const known = places.get(name);
    if (!known) return undefined;
    while ((known.at[known.next] ?? from) < from) known.next++;
    return known.at[known.next];
  };
}

interface Line extends Block {
  readonly fenced: boolean;
  readonly isRaw: boolean;
}

interface Chunk {
  readonly lines: readonly Line[];
  /** A line of it begins with a tag. */
  readonly tagged: boolean;
}

const isTags = (content: string): boolean => content.startsWith("<") && content.replace(ANY_TAG, "").trim() === "";

/** The lines between blank ones. */
function* chunksOf(text: string): Generator<Chunk, void> {
  let rows: Line[] = [];
  let tagged = false;
  let fence: string | undefined;
  let raw: RegExp | undefined;
  for (const line of lines(text)) {
    const content = text.slice(line.start, line.end);
    const trimmed = content.trim();
    if (trimmed === "" && fence === undefined && raw === undefined) {
      yield { lines: rows, tagged };
      rows = [];
      tagged = false;
      continue;
    }
    let fenced = fence !== undefined;
    let isRaw = raw !== undefined;
    if (fence !== undefined) {
      const mark = fence;
      const run = /^[\s>]*([`~]+)\s*$/.exec(content)?.[1];
      if (run?.startsWith(mark) && [...run].every((one) => one === mark[0])) fence = undefined;
    } else if (raw) {
      if (raw.test(content)) raw = undefined;
    } else {
      fence = FENCE.exec(content)?.[1];
      fenced = fence !== undefined;
      const begins = fenced || !trimmed.startsWith("<") ? null : RAW.exec(trimmed);
      if (begins) {
        isRaw = true;
        const close = RAW_ENDS[begins.slice(1).findIndex((one) => one !== undefined)] as RegExp;
        if (!close.test(content)) raw = close;
      } else tagged ||= !fenced && trimmed.startsWith("<");
    }
    rows.push({ ...line, fenced, isRaw });
  }
  yield { lines: rows, tagged };
}

/** Markup has fewer words than tags and attributes; the tags of pages count twice, and others alone on their line not at all. */
function isMarkup(text: string, rows: readonly Line[]): boolean {
  let words = 0;
  let weight = 0;
  for (const { start, end, fenced, isRaw } of rows) {
    if (fenced || isRaw) continue;
    const content = text.slice(start, end);
    const alone = isTags(content.trim());
    const said = content.replace(ANY_TAG, (_, __, name: string, attributes: string) => {
      const given = attributes.split("=").length - 1;
      weight += given + (FLOW.has(name.toLowerCase()) ? 2 : alone ? 0 : 1);
      return " ";
    });
    words += said.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  }
  return words < weight;
}
