// The marks inside of paragraphs, as far as they can be told without the parser: code, links, plain emphasis.
// What is not surely read as the parser reads it is not read here at all.
import type { Block } from "./blocks.js";
import { createTicks, roleOf, runEnd } from "./inline-marks.js";
import { append, type Visible } from "./visible.js";

export interface WikiName {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** A line of a paragraph. */
export interface Row extends Block {
  /** Where the line begins whose margin is more than blanks. */
  readonly line?: number;
}

export interface Inline {
  readonly visible: Visible;
  /** What the words are without any mark: headings and leads are known by it. */
  readonly plain: string;
  readonly links: readonly WikiName[];
}

const SPECIAL = /[\\&`<[*_]/g;
const ENTITY = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z0-9]{1,31});/y;
const TAG = /<\/?[A-Za-z][A-Za-z0-9-]* *\/?>/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end a link's target
const LINK = /\[((?:[^[\]`<\\\n\r]|`[^`[\]\n\r]+`)*)\]\([^\s()<>\\\u0000-\u001f\u007f]*\)/y;
const WIKI = /\[\[([^[\]|\n\r]*[^[\]|\s][^[\]|\n\r]*)(?:\|[^[\]|\n\r]*[^[\]|\s][^[\]|\n\r]*)?\]\](?!\])/y;
const LABEL = /\[[^[\]`<\n\r]*\](?!\()/y;

interface Piece {
  readonly sort: "text" | "code" | "mark" | "wiki" | "gone" | "break";
  readonly start: number;
  readonly end: number;
  /** A mark of emphasis that has found its other half is not seen. */
  paired?: boolean;
}

/** @param defined brackets may refer to something that is defined elsewhere in the text */
export function readInline(text: string, rows: readonly Row[], defined: boolean): Inline | undefined {
  if (rows.length === 1 && nextSpecial(text, (rows[0] as Block).start) >= (rows[0] as Block).end)
    return plainRow(text, rows[0] as Block);
  const inline: Draft = { visible: { text: "", runs: [] }, plain: "", links: [] };
  let pieces: Piece[] = [];
  const open: Piece[] = [];
  const closingTicks = createTicks(text, (rows.at(-1) as Block).end);
  /** How many marks of each sort are open. */
  const opened = { "*": 0, _: 0 };
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    // Two blanks at a line's end break it; one is nothing.
    if (before && text.startsWith("  ", before.end)) pieces.push({ sort: "break", start: before.end, end: before.end + 1 });
    else if (before)
      pieces.push({ sort: "text", start: endOfLine(text, before.end), end: row.line ?? startOfLine(text, row.start) });
    if (!scan(row.start, row.end, open)) return undefined;
    // A mark that is open may still find its other half.
    if (open.length > 0) continue;
    assemble(text, pieces, inline);
    pieces = [];
  }
  assemble(text, pieces, inline);
  return inline;

  function scan(from: number, to: number, marks: Piece[]): boolean {
    let done = from;
    for (let at = from; ; ) {
      const found = nextSpecial(text, at);
      if (found >= to) {
        if (to > done) pieces.push({ sort: "text", start: done, end: to });
        return true;
      }
      at = found;
      const next = text[at + 1] ?? "";
      const take = (sort: Piece["sort"], end: number): Piece => {
        if (at > done) pieces.push({ sort: "text", start: done, end: at });
        const piece = { sort, start: at, end };
        pieces.push(piece);
        at = end;
        done = end;
        return piece;
      };
      switch (text[at]) {
        case "\\":
          if (at + 1 >= to || !/[A-Za-z0-9 ]/.test(next)) return false;
          at++;
          break;
        case "&":
          if (matches(ENTITY, at)) return false;
          at++;
          break;
        case "<": {
          if (/[A-Za-z/!?]/.test(next)) {
            const tag = matches(TAG, at);
            if (!tag || at + tag.length > to) return false;
            at += tag.length;
          } else at++;
          break;
        }
        case "`": {
          const end = runEnd(text, at);
          const closing = closingTicks(end, end - at);
          // Code over the end of its line is rare.
          if (closing > to) return false;
          if (closing < 0) at = end;
          else take("code", closing);
          break;
        }
        case "[": {
          if (defined || text[at - 1] === "!") return false;
          if (next === "[") {
            const wiki = text[at - 1] === "[" ? undefined : matches(WIKI, at);
            if (!wiki) return false;
            take("wiki", at + wiki.length);
            break;
          }
          const link = matches(LINK, at);
          if (!link) {
            if (!matches(LABEL, at)) return false;
            at++;
            break;
          }
          const end = at + link.length;
          const inner: Piece[] = [];
          const textEnd = text.lastIndexOf("](", end - 1);
          take("gone", at + 1);
          if (!scan(at, textEnd, inner) || inner.length > 0) return false;
          at = textEnd;
          done = textEnd;
          take("gone", end);
          break;
        }
        default: {
          const end = runEnd(text, at);
          const role = roleOf(text, at, end);
          if (role === "unclear") return false;
          if (role === "none") at = end;
          else if (role === "opens") {
            opened[text[at] as "*" | "_"]++;
            marks.push(take("mark", end));
          } else {
            const last = marks.at(-1);
            const mark = text[at] as "*" | "_";
            if (last && text[last.start] === mark && last.end - last.start === end - at) {
              opened[mark]--;
              last.paired = true;
              marks.pop();
              take("mark", end).paired = true;
            } else if (role === "either" || marks !== open || opened[mark] > 0) return false;
            else at = end;
          }
        }
      }
    }
  }

  function matches(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  }
}

let known = { text: "", from: 0, at: 0 };

/** The next mark, be it far: a text without any is not searched again for each of its rows. */
function nextSpecial(text: string, from: number): number {
  if (known.text !== text || from < known.from || from > known.at) {
    SPECIAL.lastIndex = from;
    known = { text, from, at: SPECIAL.exec(text)?.index ?? text.length };
  }
  return known.at;
}

/** Most rows have no mark at all. */
function plainRow(text: string, { start, end }: Block): Inline {
  const plain = text.slice(start, end);
  return { visible: { text: plain, runs: [{ at: 0, source: start }] }, plain, links: [] };
}

/** What is read so far. */
interface Draft extends Inline {
  plain: string;
  readonly links: WikiName[];
}

function assemble(text: string, pieces: readonly Piece[], inline: Draft): void {
  const { visible, links } = inline;
  for (const { sort, start, end, paired } of pieces) {
    if (sort === "gone" || paired) continue;
    const piece = text.slice(start, end);
    append(visible, piece, start);
    if (sort === "break") continue;
    if (sort === "code") inline.plain += codeOf(piece);
    else if (sort === "wiki") {
      const name = piece.slice(2, -2).split("|")[0] as string;
      inline.plain += name;
      links.push({ start, end, name });
    } else inline.plain += piece;
  }
}

/** Code without its ticks, and without the blanks that keep them apart from it. */
function codeOf(piece: string): string {
  const ticks = /^`+/.exec(piece)?.[0].length ?? 0;
  const code = piece.slice(ticks, -ticks);
  return /^ .* $/.test(code) && /[^ ]/.test(code) ? code.slice(1, -1) : code;
}

/** The line's end, behind the blanks at its end. */
function endOfLine(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at++;
  return at;
}

/** The line's start, before its margin. */
function startOfLine(text: string, from: number): number {
  let at = from;
  while (text[at - 1] === " ") at--;
  return at;
}
