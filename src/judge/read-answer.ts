// Reads the block of verdicts in a model's answer, and removes it. A model writes it in many ways, so the reader is tolerant; what
// it cannot read is counted.
import type { Kind } from "../model.js";
import { JUDGED_KINDS } from "./judged.js";

/** What the model says, not yet verified. */
export interface Answer {
  /** The block ends with its closing tag: then an id that it leaves out is noise. */
  readonly closed: boolean;
  readonly holds: ReadonlyMap<string, Kind | undefined>;
  readonly stale: ReadonlyMap<string, Witness | undefined>;
  /** Ids that it calls noise in so many words. */
  readonly noise: ReadonlySet<string>;
  readonly quotes: readonly Quote[];
  /** Entries that cannot be read. */
  readonly unread: number;
}

/** The later words that end a fact: a message, another candidate, or a quote. */
export interface Witness {
  readonly message?: string;
  readonly id?: string;
  readonly quote?: string;
}

export interface Quote {
  readonly kind: Kind;
  readonly message?: string;
  readonly text: string;
}

/** Lines of quotes that are read: several times more than are accepted. */
const QUOTE_LINES = 100;
/** Ids of one range, such as f1-f9. */
const RANGE = 500;

const TAG = /[<＜]\s{0,9}([/／]?)\s{0,9}facts\s{0,9}[>＞]/giu;
/** Before a heading there may be list markers and emphasis. */
const HEADING = /^[\s>*_#`-]{0,20}(holds?|stale|noise|missed|missing)\b[\s*_`]{0,9}(?:[:：=-]|$)/i;
const FENCE = /^[ \t]*(?:```|~~~)[\w-]*[ \t]*$/;

export function readAnswer(text: string): Answer | undefined {
  const block = blocksIn(text).at(-1);
  if (!block) return undefined;
  const body = text.slice(block.from, block.to);
  // The last entry of an unfinished block may be cut in its middle.
  const whole = block.closed ? body : body.slice(0, Math.max(body.lastIndexOf(","), body.lastIndexOf("\n"), 0));
  const answer = { holds: new Map(), stale: new Map(), noise: new Set<string>(), quotes: [] as Quote[], unread: 0 };
  let section = "";
  for (const line of whole.split("\n")) {
    const heading = HEADING.exec(line);
    if (heading) section = (heading[1] as string).toLowerCase();
    const rest = heading ? line.slice(heading[0].length) : line;
    if (section.startsWith("hold")) readHolds(rest, answer.holds);
    else if (section === "stale") readStale(rest, answer.stale);
    else if (section === "noise") for (const id of idsIn(rest)) answer.noise.add(id);
    else if (section.startsWith("miss") && !isEmpty(rest)) {
      const quote = answer.quotes.length < QUOTE_LINES ? readQuote(rest) : undefined;
      if (quote) answer.quotes.push(quote);
      else answer.unread++;
    }
  }
  return { ...answer, closed: block.closed };
}

const isEmpty = (line: string) => FENCE.test(line) || /^[\s\p{P}]*(?:none|n\/a|nothing)?[\s\p{P}]*$/iu.test(line);

function readHolds(line: string, holds: Map<string, Kind | undefined>): void {
  for (const id of idsIn(line)) if (!holds.has(id)) holds.set(id, undefined);
  for (const [, id = "", word = ""] of line.matchAll(/\bf0*(\d{1,6})\b\s{0,9}(?:=|:|->|→|\()\s{0,9}([a-z]+)/gi)) {
    const kind = kindOf(word);
    if (kind) holds.set(`f${id}`, kind);
  }
}

const STALE =
  /\bf0*(\d{1,6})\b(?:\s{0,9}=\s{0,9}[a-z]+)?[\s([]{0,9}(?:(?:<|&lt;|＜|←|@|:|=|->|→|by|in|at)[\s([]{0,9}(?:f0*(\d{1,6})\b|["“”„«'‘’`]([^"“”„«»]{1,500})["”“»'‘’`]))?(?:(?:<|&lt;|＜|←|@|:|=|->|→|by|in|at)?[\s([]{0,9}(m\d{1,9})\b)?/giu;

function readStale(line: string, stale: Map<string, Witness | undefined>): void {
  for (const [, number = "", other, quote, message] of line.matchAll(STALE)) {
    const witness = message ? { message } : other ? { id: `f${other}` } : quote ? { quote } : undefined;
    const id = `f${number}`;
    if (witness || !stale.has(id)) stale.set(id, witness);
  }
}

/** The ids of a line; f3-f6 are four. */
function idsIn(line: string): readonly string[] {
  return [...line.matchAll(/\bf0*(\d{1,6})\b(?:\s{0,3}(?:-|–|—|\.{2,3}|…|to)\s{0,3}f0*(\d{1,6})\b)?/gi)].flatMap(
    ([, from, to]) => {
      const [first, last] = [Number(from), Number(to ?? from)];
      return last >= first && last - first < RANGE
        ? Array.from({ length: last - first + 1 }, (_, index) => `f${first + index}`)
        : [`f${first}`, `f${last}`];
    },
  );
}

const QUOTES = '"“”„«»‘’`';

/** A line `- kind message "exact words"`, with or without quotation marks, in any order before the words. */
function readQuote(line: string): Quote | undefined {
  const start = [...line].findIndex((character) => QUOTES.includes(character) || character === "'");
  const opens = start < 0 ? -1 : [...line].slice(0, start).join("").length;
  const head = opens < 0 ? line : line.slice(0, opens);
  const words = [...head.matchAll(/\p{L}+/gu)];
  const found = words.find(([word]) => kindOf(word) !== undefined);
  if (!found) return undefined;
  const message = /\bm\d{1,9}\b/i.exec(head);
  const behind = Math.max(found.index + found[0].length, message ? message.index + message[0].length : 0);
  const said = opens < 0 ? line.slice(behind).replace(/^[\s:\])>=—-]+/, "") : unquoted(line.slice(opens));
  const text = said.replace(/\\(["'])/g, "$1").trim();
  return text === ""
    ? undefined
    : { kind: kindOf(found[0]) as Kind, text, ...(message && { message: message[0].toLowerCase() }) };
}

/** The words between the first quotation mark and the last one. */
function unquoted(text: string): string {
  const end = Math.max(...[...QUOTES, "'"].map((mark) => text.lastIndexOf(mark)));
  return end > 0 ? text.slice(1, end) : text.slice(1);
}

/** Models write plurals. */
const kindOf = (word: string): Kind | undefined =>
  JUDGED_KINDS.find((kind) => kind === word.toLowerCase() || `${kind}s` === word.toLowerCase());

interface Block {
  /** Where the block begins and ends, with its tags. */
  readonly start: number;
  readonly end: number;
  /** What is between the tags. */
  readonly from: number;
  readonly to: number;
  readonly closed: boolean;
}

/** The blocks of an answer. A tag in a sentence is only a mention. */
function blocksIn(text: string): readonly Block[] {
  const tags = [...text.matchAll(TAG)].map(({ 0: tag, 1: slash, index }) => ({
    start: index,
    end: index + tag.length,
    opens: slash === "",
  }));
  return tags.flatMap((tag, index): readonly Block[] => {
    if (!tag.opens) return [];
    const next = tags[index + 1];
    const body = text.slice(tag.end, next?.start);
    const isBlock = body.trim() === "" || body.split("\n").some((line) => HEADING.test(line));
    if (next && !next.opens)
      return isBlock ? [{ start: tag.start, end: next.end, from: tag.end, to: next.start, closed: true }] : [];
    const line = text.slice(text.lastIndexOf("\n", tag.start - 1) + 1, tag.start);
    if (!isBlock || !/^[\s>*_`-]*$/.test(line)) return [];
    const end = tag.end + lengthOfLines(body);
    return [{ start: tag.start, end, from: tag.end, to: end, closed: false }];
  });
}

/** Of an unfinished block: the lines that look like its own. The summary may go on behind it. */
function lengthOfLines(body: string): number {
  let length = 0;
  for (const line of body.split(/(?<=\n)/)) {
    const isOwn =
      isEmpty(line.trimEnd()) || HEADING.test(line) || /^[\s*-]*\[?f\d/i.test(line) || readQuote(line.trim()) !== undefined;
    if (!isOwn && length > 0) break;
    length += line.length;
  }
  return length;
}

/** The answer without its blocks, also those that are cut off. */
export function withoutAnswer(text: string): string {
  let rest = text;
  for (const { start, end } of [...blocksIn(text)].reverse()) {
    const before = rest
      .slice(0, start)
      .replace(/\n[ \t]*(?:```|~~~)[\w-]*[ \t]*\n?$/, "\n")
      .trimEnd();
    const after = rest
      .slice(end)
      .replace(/^\s*?\n[ \t]*(?:```|~~~)[ \t]*(?=\n|$)/, "")
      .trim();
    rest = [before, after].filter((part) => part !== "").join("\n\n");
  }
  return rest.replace(/\n[ \t]*[<＜]\s?\/?f?a?c?t?s?$/i, "").trimEnd();
}
