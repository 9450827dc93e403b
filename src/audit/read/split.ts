// Text → blocks, and the words that are compared: plain words, numbers split from their unit, and whole names.
import { DASH, toWords, type Words } from "../../text/words.js";

type Sort = "word" | "number" | "name";

export interface ComparedWord {
  readonly folded: string;
  readonly sort: Sort;
  readonly start: number;
  readonly end: number;
}

const LETTER = /[\p{L}\p{N}]/u;
const NUMBER = /^[+-]?\d+(?:[.,:]\d+)*$/;
/** "30s", "15-minute" */
const MEASURE = /^([+-]?\d+(?:[.,]\d+)*)(?:(%|[\p{L}µ]{1,5})|-(\p{L}{2,}))$/u;
const VERSION = /^v(?=\d)/;
/** Characters that join a name when they have no blank on either side. */
const INSIDE = "./\\-:@#=+~$&%?{}";
/** Characters that may begin a name. */
const BEFORE = "./@#~$+-";
/** Characters that may end a name. */
const AFTER = "+#%";

/** `_like this_`; blanks replace the marks, so that offsets stay valid. Double marks, as in `__init__`, belong to a name. */
const EMPHASIS = /(?<!\w)_(?=[^\s_])([^\n_]{1,200})(?<=[^\s_])_(?!\w)/g;

export function splitWords(given: string): readonly ComparedWord[] {
  const text = given.replace(EMPHASIS, " $1 ");
  const words = toWords(text);
  const found: ComparedWord[] = [];
  // The end of the opening marks, computed once for all marks in a row.
  let opened = 0;
  for (let at = 0; at < words.folded.length; ) {
    if (at >= opened) opened = endOfOpening(words, at, text);
    const to = endOfName(words, at, opened);
    if (to === at) at++;
    else {
      for (const word of toParts(words, at, to)) found.push(word);
      at = to;
    }
  }
  return found;
}

const isLetters = (word: string | undefined) => word !== undefined && LETTER.test(word);

/** The position after the marks at `at` that may begin a name. */
function endOfOpening(words: Words, at: number, text: string): number {
  let to = at;
  while (to < words.folded.length && (to === at || words.glued[to]) && isOpening(words, to, text)) to++;
  return to;
}

/** The end of the name that starts at `at`, or `at` itself if no name starts there. */
function endOfName({ folded, glued }: Words, at: number, opened: number): number {
  let to = opened;
  // Leading marks count if no word is glued before them and a name is glued after them.
  if (to > at && ((glued[at] && isLetters(folded[at - 1])) || !glued[to] || !isLetters(folded[to]))) return at;
  if (!isLetters(folded[to])) return at;
  to++;
  for (;;) {
    if (to >= folded.length || !glued[to]) return to;
    const word = folded[to] as string;
    if (isLetters(word)) return to;
    let next = to;
    while (next < folded.length && glued[next] && INSIDE.includes(folded[next] as string)) next++;
    if (next === to)
      return folded[to] === "," && isDigits(folded[to - 1]) && glued[to + 1] && isDigits(folded[to + 1]) ? to + 2 : to;
    if (next < folded.length && glued[next] && isLetters(folded[next])) to = next + 1;
    else {
      while (to < next && AFTER.includes(folded[to] as string)) to++;
      return to;
    }
  }
}

const isDigits = (word: string | undefined) => word !== undefined && /^\d+$/.test(word);
/** Two hyphens begin an option. Behind another mark, they are read as a dash. */
const isOpening = ({ folded, start }: Words, at: number, text: string) =>
  BEFORE.includes(folded[at] as string) || text.startsWith("--", start[at]);

function toParts(words: Words, at: number, to: number): readonly ComparedWord[] {
  const start = words.start[at] as number;
  const end = words.end[to - 1] as number;
  const first = words.folded[at] as string;
  if (to - at === 1 && !/[\d_]/.test(first)) return [{ folded: first, sort: "word", start, end }];
  const whole = words.folded.slice(at, to).join("").replaceAll(DASH, "--");
  const piece = (folded: string, sort: Sort, from = start, until = end): ComparedWord => ({
    folded,
    sort,
    start: from,
    end: until,
  });
  const bare = whole.replace(VERSION, "");
  if (NUMBER.test(bare)) return [piece(bare.replace(/,(?=\d{3}(?!\d))/g, ""), "number")];
  const measure = MEASURE.exec(whole);
  if (measure) {
    const [, amount = "", short = "", long = ""] = measure;
    const unit = short || long;
    const middle = start + amount.length;
    return [piece(amount.replace(/,(?=\d{3}(?!\d))/g, ""), "number", start, middle), piece(unit, "word", end - unit.length)];
  }
  if (to - at === 1) return [piece(whole, /[\d_]/.test(whole) && whole.length > 1 ? "name" : "word")];
  if (/^[\p{L}\p{M}']+(?:-[\p{L}\p{M}']+)+$/u.test(whole)) return compound(words, at, to);
  return [piece(whole, "name")];
}

/** "hand-written" is two words. */
function compound({ folded, start, end }: Words, at: number, to: number): readonly ComparedWord[] {
  const found: ComparedWord[] = [];
  for (let index = at; index < to; index += 2)
    found.push({ folded: folded[index] as string, sort: "word", start: start[index] as number, end: end[index] as number });
  return found;
}

// Blocks: paragraphs, items and headings, each with the lines above that cover it.

export interface SummaryBlock {
  readonly start: number;
  readonly end: number;
  readonly heading: boolean;
  /** The checkbox of a task. */
  readonly task?: "open" | "done";
  /** It has a cross before or after it, or the checkbox of an abandoned task. */
  readonly crossed?: true;
  /** A line or item above others that is not a heading and does not end with a colon. */
  readonly loose?: true;
  /** The nearest block that covers this one: a heading, a lead-in or a line above. */
  readonly above?: SummaryBlock;
}

const LEAD = /^(\s*)((?:>\s?)*(?:(?:[-*+•]|\d{1,3}[.)]|\(?\p{L}\))\s+)?)(\[[ xX]\]\s+)?(#{1,6}\s+)?/u;
/** A line of a list of quotations, which have no bullets. */
const QUOTATION = /^\s*["“„«].*["”»)][.,;:!?]?\s*$/;
const CROSS = /^\s*(?:\[[-~]\]\s|[❌✗✘✖🚫])|\s[❌✗✘✖🚫]\uFE0F?\s*$/u;
const COLON = /[:：]\**\s*$/;
const BOLD = /^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$/;

/** Subtracted from a heading's level, so that headings rank above bold lines, paragraphs and items. */
const LEVELS = 8;

type Open = { readonly block: SummaryBlock; readonly depth: number };

export function toBlocks(text: string): readonly SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  const above: Open[] = [];
  let running = false;
  let end = -1;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const at = end + 1;
    end = at + line.length;
    const lead = LEAD.exec(line.slice(0, 200)) as RegExpExecArray;
    const [marks = "", blank = "", item = "", box = "", hashes = ""] = lead;
    const isListed = item !== "" || isQuotation(line, lines[index - 1], lines[index + 1]);
    const leads = COLON.test(line) || (!isListed && isQuotation(lines[index + 1], lines[index + 2]));
    if (line.trim() === "") running = false;
    else if (running && !isListed && hashes === "" && !line.trimStart().startsWith("|")) {
      // A line that continues the paragraph or item above.
      const { loose, ...before } = blocks.pop() as SummaryBlock;
      const block: SummaryBlock = { ...before, end, ...(loose && !leads && { loose }) };
      blocks.push(block);
      const open = above.at(-1);
      if (open?.block.start === block.start) above.splice(-1, 1, { block, depth: open.depth });
    } else {
      const heading = hashes !== "" || (!isListed && BOLD.test(line));
      const depth = hashes !== "" ? hashes.trim().length - LEVELS : heading ? -1 : isListed ? 1 + blank.length : 0;
      const introduces = heading || leads;
      const last = above.at(-1);
      // "Rejected:" and the paragraph after it.
      const isLed = depth === 0 && !introduces && last?.depth === 0 && !last.block.loose && blocks.at(-1) === last.block;
      while (!isLed && above.length > 0 && (above.at(-1) as Open).depth >= depth) above.pop();
      const task = box === "" ? undefined : box.includes(" ]") ? "open" : "done";
      const parent = above.at(-1)?.block;
      const block: SummaryBlock = {
        start: at + marks.length,
        end,
        heading,
        ...(task && { task }),
        ...(CROSS.test(line.slice(marks.length)) && { crossed: true }),
        ...(!introduces && { loose: true }),
        ...(parent && { above: parent }),
      };
      blocks.push(block);
      if (isLed) above.pop();
      above.push({ block, depth });
      running = !heading;
    }
  }
  return blocks;
}

/** A single quotation may be a wrapped part of the sentence around it. */
const isQuotation = (line = "", ...beside: readonly (string | undefined)[]) =>
  QUOTATION.test(line) && beside.some((other = "") => QUOTATION.test(other));
