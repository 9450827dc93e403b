// JSON and JSON lines, read piece by piece: the entries of the lists at the top of a document, or the lines of a file, are
// parsed one at a time and made light at once, so that a long session is never held as a whole. Nothing is assumed
// about the order of keys: what a piece is, is asked of the whole piece.
import { BEGINS_VALUE, type Parsed } from "./parsed.js";

const [TAB, NEWLINE, RETURN, BLANK, QUOTE, COMMA, COLON, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];
const BOM = [0xef, 0xbb, 0xbf];

/** What may come next outside of a piece. */
type Next = "start" | "first" | "entry" | "key" | "colon" | "value" | "comma" | "after" | "line";

/**
 * The same as `parseSession`, but for what `lighten` takes away; undefined for what is not JSON, or broken in a way that
 * only the whole text can tell more about.
 */
export function parsePieces(chunks: Iterable<Uint8Array>, lighten: (piece: unknown) => unknown): Parsed | undefined {
  const scanner = createScanner(lighten);
  try {
    for (const chunk of chunks) scanner.feed(chunk);
    return scanner.end();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function createScanner(lighten: (piece: unknown) => unknown) {
  let next: Next = "start";
  let seen = 0;
  let line = 1;
  /** The first value does not stand on one line. */
  let tall = false;
  /** The list that is being read, the members of the document, if it is a map, and the key of the member at hand. */
  let list: unknown[] | undefined;
  let members: [string, unknown][] | undefined;
  let key = "";
  /** The beginning of a piece that a chunk broke off. */
  let held: Uint8Array[] = [];
  let inPiece = false;
  let depth = 0;
  let inText = false;
  let escaped = false;
  const values: unknown[] = [];
  const brokenLines: number[] = [];

  function feed(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (next === "line") at = feedLine(chunk, at);
      else if (inPiece) at = feedPiece(chunk, at);
      else at = step(chunk, at);
    }
  }

  /** Outside of pieces. */
  function step(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number;
    seen++;
    if (next === "start" && seen <= BOM.length && byte === BOM[seen - 1]) return at + 1;
    if (byte === NEWLINE) {
      line++;
      if (next !== "start" && next !== "after") tall = true;
    }
    if (byte === BLANK || byte === NEWLINE || byte === RETURN || byte === TAB) return at + 1;
    switch (next) {
      case "start":
        if (byte === OPEN_LIST) list = [];
        else if (byte === OPEN_MAP) members = [];
        else throw new SyntaxError();
        begun = line;
        next = list ? "first" : "key";
        return at + 1;
      case "first":
      case "entry":
        if (byte === CLOSE_LIST && next === "first") return closeList(at);
        return begin(chunk, at);
      case "key":
        if (byte === CLOSE_MAP && members?.length === 0) return closeMap(at);
        if (byte !== QUOTE) throw new SyntaxError();
        return begin(chunk, at);
      case "colon":
        if (byte !== COLON) throw new SyntaxError();
        next = "value";
        return at + 1;
      case "value":
        if (byte !== OPEN_LIST) return begin(chunk, at);
        list = [];
        next = "first";
        return at + 1;
      case "comma":
        if (byte === COMMA) next = list ? "entry" : "key";
        else if (byte === CLOSE_LIST && list) return closeList(at);
        else if (byte === CLOSE_MAP && !list) return closeMap(at);
        else throw new SyntaxError();
        return at + 1;
      default:
        // Behind the first value: on a line of its own, and only behind such a line, there may be another.
        if (tall || line === begun) throw new SyntaxError();
        values[0] = lighten(values[0]);
        next = "line";
        return at;
    }
  }
  let begun = 1;

  function closeList(at: number): number {
    const whole = list as unknown[];
    list = undefined;
    if (members) {
      members.push([key, whole]);
      next = "comma";
    } else {
      values.push(whole);
      next = "after";
    }
    return at + 1;
  }

  function closeMap(at: number): number {
    // Not by assignment: a member may be called __proto__.
    values.push(Object.fromEntries(members as [string, unknown][]));
    next = "after";
    return at + 1;
  }

  function begin(chunk: Uint8Array, at: number): number {
    inPiece = true;
    depth = 0;
    inText = false;
    return feedPiece(chunk, at);
  }

  /** To the end of the piece or of the chunk. */
  function feedPiece(chunk: Uint8Array, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inText = false;
          if (depth === 0) return finish(chunk, from, at + 1);
        }
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN_MAP || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_MAP || byte === CLOSE_LIST) {
        if (depth === 0) return finish(chunk, from, at);
        if (--depth === 0) return finish(chunk, from, at + 1);
      } else if (byte === NEWLINE) {
        line++;
        tall = true;
      } else if (byte === COMMA && depth === 0) return finish(chunk, from, at);
    }
    held.push(chunk.slice(from));
    return at;
  }

  function finish(chunk: Uint8Array, from: number, end: number): number {
    inPiece = false;
    const value: unknown = JSON.parse(take(chunk.subarray(from, end)));
    if (next === "key") {
      key = value as string;
      next = "colon";
      return end;
    }
    if (list) list.push(lighten(value));
    else members?.push([key, value]);
    next = "comma";
    return end;
  }

  function feedLine(chunk: Uint8Array, from: number): number {
    const end = chunk.indexOf(NEWLINE, from);
    if (end < 0) {
      held.push(chunk.slice(from));
      return chunk.length;
    }
    finishLine(take(chunk.subarray(from, end)));
    return end + 1;
  }

  function finishLine(text: string): void {
    const number = line++;
    if (text.trim() === "") return;
    try {
      // An exception for every line of a long text takes its time.
      if (BEGINS_VALUE.test(text)) values.push(lighten(JSON.parse(text)));
      else brokenLines.push(number);
    } catch {
      brokenLines.push(number);
    }
  }

  function take(last: Uint8Array): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let text = "";
    for (const part of held) text += decoder.decode(part, { stream: true });
    held = [];
    return text + decoder.decode(last);
  }

  function end(): Parsed | undefined {
    if (next === "after") return { values, lines: false, brokenLines: [] };
    if (next !== "line") return undefined;
    if (held.length > 0) finishLine(take(new Uint8Array()));
    const objects = values.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
    // As for the whole text: a broken document may hold single lines that are JSON by chance.
    return objects.length > 0 && objects.length >= brokenLines.length ? { values: objects, lines: true, brokenLines } : undefined;
  }

  return { feed, end };
}
