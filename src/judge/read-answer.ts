// Reads the block of verdicts in a model's answer, and removes it. Models write it in many ways, so the reader is tolerant; what
// it cannot read is counted.
import type { Kind } from "../model.js";
import { JUDGED_KINDS } from "./judged.js";

/** What the model says, not yet verified. */
export interface ModelAnswer {
  /** The block ends with its closing tag. */
  readonly closed: boolean;
  /** Each entry that holds is an id. Otherwise the model may mean a fact without naming it. */
  readonly clear: boolean;
  readonly holds: ReadonlyMap<string, Kind | undefined>;
  /** Of these, the ids that matter. */
  readonly marked: ReadonlySet<string>;
  readonly stale: ReadonlyMap<string, Witness | undefined>;
  /** Ids that it calls noise in so many words. */
  readonly noise: ReadonlySet<string>;
  /** Lines to be carried, the most needed first; undefined if the answer does not say so clearly. */
  readonly needed?: readonly string[];
  readonly quotes: readonly Quote[];
  readonly unread: number;
}

/** The later words that end a fact: a message, another candidate, or a quote. */
export type Witness = { readonly message?: string; readonly id?: string; readonly quote?: string };

export interface Quote {
  readonly kind: Kind;
  readonly message?: string;
  readonly text: string;
  readonly marked: boolean;
}

/** What is read of a block: ten times more than one that judges every candidate. */
const BLOCK_CHARACTERS = 50_000;
/** Lines of quotes that are read: several times more than are accepted. */
const QUOTE_LINES = 100;
/** Ids of one range, such as f1-f9. */
const RANGE = 200;

const TAG = /[<＜]\s{0,9}([/／]?)\s{0,9}facts\s{0,9}[>＞]/giu;
const SECTIONS = ["holds", "stale", "noise", "needed", "missed"] as const;
/** Before a heading there may be list markers and emphasis. */
const HEADING = /^[\s>*_#`-]{0,20}(hold|stale|noise|need|miss)(?:s|ed|ing)?\b[\s*_`]{0,9}(?:[:：=-]|$)/i;

/** @param asked the request: a block that only repeats a part of it is no answer */
export function readAnswer(text: string, asked = ""): ModelAnswer | undefined {
  const isRead = (body: string) => body.split("\n").some((line) => HEADING.test(line)) && !asked.includes(body.trim());
  const block = blocksIn(text).findLast(({ body }) => isRead(body));
  if (!block) return undefined;
  const lines = block.body.slice(0, BLOCK_CHARACTERS).split("\n");
  const closed = block.closed && block.body.length <= BLOCK_CHARACTERS;
  const named = { holds: new Map(), marked: new Set<string>(), stale: new Map(), noise: new Set<string>() };
  const answer = { ...named, quotes: [] as Quote[], unread: 0, closed, clear: true };
  let needed: string[] | undefined;
  let isNeedClear = true;
  // Some models repeat what the request says of a line before they fill it.
  const form = asked.split("\n").filter((line) => HEADING.test(line));
  let section = "";
  for (const [index, line] of lines.entries()) {
    const heading = HEADING.exec(line);
    if (heading) section = (heading[1] as string).toLowerCase();
    const repeated = form.find((one) => line.trimStart().startsWith(one));
    const given = repeated ? line.trimStart().slice(repeated.length) : heading ? line.slice(heading[0].length) : line;
    // The last entry of an unfinished block may be cut in its middle.
    const isCut = !closed && index === lines.length - 1;
    const rest = !isCut ? given : section === "miss" ? "" : given.slice(0, Math.max(0, given.lastIndexOf(",")));
    if (section === "hold") {
      readHolds(rest, answer);
      if (!isClear(rest)) answer.clear = false;
    } else if (section === "need" && /[\p{L}\p{N}]/u.test(rest)) {
      needed = [...(needed ?? []), ...idsIn(rest, "l").map(({ id }) => id)];
      if (!isClear(rest, "l")) isNeedClear = false;
    } else if (section === "stale") readStale(rest, answer.stale);
    else if (section === "noise") for (const { id } of idsIn(rest)) answer.noise.add(id);
    else if (section === "miss" && !isEmpty(rest)) {
      const quote = answer.quotes.length < QUOTE_LINES ? readQuote(rest) : undefined;
      if (quote) answer.quotes.push(quote);
      else answer.unread++;
    }
  }
  return needed && isNeedClear ? { ...answer, needed: [...new Set(needed)] } : answer;
}

/** Nothing, a fence, or a word for nothing. */
const isEmpty = (line: string) => /^(?:none|na|nothing)?$/i.test(line.replace(/[^\p{L}\p{N}]+/gu, "")) || FENCE.test(line);
const FENCE = /^[ \t]*(?:```|~~~)[\w-]*[ \t\r]*$/;

/** `f4`, `f4!`, `f4=finding` and `f4=finding!`. */
function readHolds(line: string, { holds, marked }: { holds: Map<string, Kind | undefined>; marked: Set<string> }): void {
  for (const { id, mark } of idsIn(line)) {
    if (!holds.has(id)) holds.set(id, undefined);
    if (mark) marked.add(id);
  }
  const kinds = /\bf0*(\d{1,6})\b!?\s{0,9}(?:=|:|->|→|\()\s{0,9}([a-z]+)\)?(\s{0,3}[!！])?/gi;
  for (const [, id = "", word = "", mark] of line.matchAll(kinds)) {
    const kind = kindOf(word);
    if (kind) holds.set(`f${id}`, kind);
    if (kind && mark) marked.add(`f${id}`);
  }
}

/** Has each entry of a list an id, and no number that may be another one? What is in parentheses only explains. */
function isClear(line: string, letter = "f"): boolean {
  const entries = line.replace(/\([^()]{0,500}\)/g, " ").split(/[,;]/);
  return entries.every(
    (entry) => isEmpty(entry) || (idsIn(entry, letter).length > 0 && !/(?:^|\s)#?\d{1,3}(?:\s|$)/.test(entry)),
  );
}

const STALE =
  /\bf0*(\d{1,6})\b!?(?:\s{0,9}=\s{0,9}[a-z]+)?[\s([]{0,9}(?:(?:<|&lt;|＜|←|@|:|=|->|→|by|in|at)[\s([]{0,9}(?:f0*(\d{1,6})\b|["“”„«'‘’`]([^"“”„«»]{1,500})["”“»'‘’`]))?(?:(?:<|&lt;|＜|←|@|:|=|->|→|by|in|at)?[\s([]{0,9}(m\d{1,9})\b)?/giu;

function readStale(line: string, stale: Map<string, Witness | undefined>): void {
  for (const [, number = "", other, quote, message] of line.matchAll(STALE)) {
    const witness = message ? { message } : other ? { id: `f${other}` } : quote ? { quote } : undefined;
    const id = `f${number}`;
    if (witness || !stale.has(id)) stale.set(id, witness);
  }
}

const idsOf = (letter: string) => {
  const id = `${letter}0*(\\d{1,6})\\b`;
  return new RegExp(`\\b${id}(?:\\s{0,3}(?:-|–|—|\\.{2,3}|…|to)\\s{0,3}${id})?([\\s*_\`]{0,3}[!！])?`, "gi");
};
const [FACT_IDS, LINE_IDS] = [idsOf("f"), idsOf("l")];

/** The ids of a line, and whether they are marked; f3-f6 are four. */
function idsIn(line: string, letter = "f"): readonly { readonly id: string; readonly mark: boolean }[] {
  return [...line.matchAll(letter === "f" ? FACT_IDS : LINE_IDS)].flatMap(([, from, to = from, mark]) =>
    idsFrom(Number(from), Number(to), letter).map((id) => ({ id, mark: mark !== undefined })),
  );
}

/** The ids of a range; of no range, its ends. */
export function idsFrom(first: number, last: number, letter = "f"): readonly string[] {
  const isRange = last > first && last - first < RANGE;
  const numbers = isRange ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : [...new Set([first, last])];
  return numbers.map((number) => letter + number);
}

/** A line `- kind message "exact words"`, with or without quotation marks, kind and message in any order. `kind!` marks it. */
function readQuote(line: string): Quote | undefined {
  const opens = line.search(/["“”„«»‘’'`]/);
  const head = opens < 0 ? line : line.slice(0, opens);
  const found = [...head.matchAll(/\p{L}+/gu)].find(([word]) => kindOf(word) !== undefined);
  if (!found) return undefined;
  const message = /\bm\d{1,9}\b/i.exec(head);
  const behind = Math.max(found.index + found[0].length, message ? message.index + message[0].length : 0);
  const said = opens < 0 ? line.slice(behind).replace(/^[\s:\])>=—-]+/, "") : unquoted(line.slice(opens));
  const text = said.replace(/\\(["'])/g, "$1").trim();
  const marked = /[!！]/.test(opens < 0 ? head.slice(0, behind + 1) : head);
  return { kind: kindOf(found[0]) as Kind, text, marked, ...(message && { message: message[0].toLowerCase() }) };
}

/** The words between the first quotation mark and the last one of its sort. */
function unquoted(text: string): string {
  const opening = text[0] as string;
  const closing = /['‘’]/.test(opening) ? "'‘’" : opening === "`" ? "`" : '"“”„«»';
  const end = Math.max(...[...closing].map((mark) => text.lastIndexOf(mark)));
  return end > 0 ? text.slice(1, end) : text.slice(1);
}

/** Models write plurals. */
const kindOf = (word: string): Kind | undefined =>
  JUDGED_KINDS.find((kind) => kind === word.toLowerCase() || `${kind}s` === word.toLowerCase());

type Block = { readonly start: number; readonly end: number; readonly body: string; readonly closed: boolean };

/** The blocks of an answer. A tag in a sentence is only a mention. */
function blocksIn(text: string): readonly Block[] {
  const tags = [...text.matchAll(TAG)];
  return tags.flatMap((tag, index): readonly Block[] => {
    const next = tags[index + 1];
    const [start, from] = [tag.index, tag.index + tag[0].length];
    const rest = text.slice(from, next?.index);
    const isOwn = /(?:^|\n)[ \t>*_`-]*$/.test(text.slice(Math.max(0, start - 20), start));
    // An end without a beginning stays behind when a model writes two ends.
    const isStray = tags[index - 1]?.[1] !== "" && isOwn && /^[ \t\r]*(?:\n|$)/.test(rest);
    if (tag[1] !== "") return isStray ? [{ start, end: from, body: "", closed: false }] : [];
    if (next && next[1] !== "") {
      const isBlock = isOwn || rest.split("\n").some((line) => HEADING.test(line));
      return isBlock ? [{ start, end: next.index + next[0].length, body: rest, closed: true }] : [];
    }
    const isCut = isOwn && !next && CUT_LINE.test(rest);
    const body = isCut ? rest : rest.slice(0, lengthOfOwn(rest, next === undefined));
    return body.trim() === "" && rest.trim() !== "" && !(isOwn && body !== "")
      ? []
      : [{ start, end: from + body.length, body, closed: false }];
  });
}

/** Of a block without an end: the lines that look like its own. The summary may go on behind them. */
function lengthOfOwn(rest: string, isLast: boolean): number {
  let length = 0;
  let section = "";
  let isForeign = false;
  for (const line of rest.split(/(?<=\n)/)) {
    const words = line.trim().toLowerCase();
    section = HEADING.exec(line)?.[1]?.toLowerCase() ?? section;
    const isCut = isLast && length + line.length === rest.length && (section || SECTIONS.some((one) => one.startsWith(words)));
    isForeign = FOREIGN.test(line) || (isForeign && words !== "");
    const isOwn =
      isForeign ||
      isEmpty(line) ||
      HEADING.test(line) ||
      /^[\s*-]{0,20}\[?f\d/i.test(line) ||
      (section === "need" && idsIn(line, "l").length > 0);
    if (!isOwn && !isCut && !(section === "miss" && /^[\s*•-]{0,20}[*•-]/.test(line))) break;
    length += line.length;
  }
  return length;
}

/** A heading in another language, and ids. */
const FOREIGN = /^[\s>*_#`-]{0,20}\p{L}[^\n:：]{0,30}[:：][\s*_`]{0,9}[fl]\d/iu;
/** The beginning of the first line of a block, in any language. */
const CUT_LINE = /^[ \t\r]*\n[^\n]{1,20}$/;

/** The answer without its blocks, also those that are cut off. */
export function withoutAnswer(text: string): string {
  const [cut = ""] = /(?:^|\n)[ \t]*[<＜]\s?[/／]?(?:f(?:a(?:c(?:ts?)?)?)?)?$/i.exec(text.slice(-CUT_TAG)) ?? [];
  const whole = cut === "" ? text : text.slice(0, -cut.length);
  const blocks = blocksIn(whole);
  if (blocks.length === 0) return cut === "" ? text : whole.trimEnd();
  return withoutParts(whole, blocks);
}

/** A text without some of its parts, and without the fences around them. */
export function withoutParts(text: string, parts: readonly Pick<Block, "start" | "end">[]): string {
  const pieces = parts.map(({ start }, index) => text.slice(parts[index - 1]?.end ?? 0, start));
  let isFenced = false;
  const kept = [...pieces, text.slice(parts.at(-1)?.end)].map((piece) => {
    const rest = isFenced ? piece.replace(/^\s*(?:```|~~~)[ \t]*(?=\r?\n|$)/, "") : piece;
    isFenced = (rest.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
    return (isFenced ? rest.replace(/(?:^|\n)[ \t]*(?:```|~~~)[\w-]*\s*$/, "") : rest).trim();
  });
  return kept.filter((piece) => piece !== "").join("\n\n");
}

/** Characters of a tag that is cut off, with what is before it in its line. */
const CUT_TAG = 40;
