// Parses JSON or JSON lines, and recovers what it can from broken input.
import { SALVAGE_DEPTH } from "../../limits.js";
import { isFields, parseJson } from "../../text/json.js";

export interface Parsed {
  /** One value for a JSON document, one per line for JSON lines. */
  readonly values: readonly unknown[];
  readonly lines: boolean;
  /** Numbers of the lines that are not JSON. */
  readonly brokenLines: readonly number[];
  /** Why nothing, or not everything, could be read. */
  readonly fault?: string;
}

export const BEGINS_VALUE = /^[ \t\r]*(?:[[{"\d]|-\d|true|false|null)/;

export function parseSession(text: string): Parsed {
  try {
    return { values: [JSON.parse(text)], lines: false, brokenLines: [] };
  } catch {
    // Continue: it may be JSON lines.
  }
  const found = collectLines((value) => value);
  for (const line of text.split("\n")) found.add(line);
  const lines = found.lines();
  if (lines) return lines;
  const fault = faultOf(text, found.brokenLines[0] ?? 1);
  const beginning = /^\s*[[{]/.test(text) ? salvageJson(text) : undefined;
  if (beginning !== undefined) return { values: [beginning], lines: false, brokenLines: [], fault };
  return { values: [], lines: true, brokenLines: found.brokenLines, fault };
}

/** The same for JSON lines in chunks. Each value is shrunk before the next line is read, so a long session is never in memory as
 * a whole.
 * @returns undefined if the whole text is needed: for a document of several lines, and for text that is not JSON */
export function parseLines(chunks: Iterable<Uint8Array>, lighten: (value: unknown) => unknown): Parsed | undefined {
  const found = collectLines(lighten);
  let held: Uint8Array[] = [];
  const end = (rest: Uint8Array) => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: found.count() > 0 });
    const text = held.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode(rest);
    held = [];
    found.add(text);
  };
  for (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      end(chunk.subarray(from, at));
      // Probably the first line of a document with several lines.
      if (found.values.length === 0 && found.brokenLines.length > 0) return undefined;
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.slice(from));
  }
  end(new Uint8Array());
  const { values, brokenLines } = found;
  return values.length === 1 && brokenLines.length === 0 ? { values, lines: false, brokenLines } : found.lines();
}

const NEWLINE = 0x0a;

function collectLines(lighten: (value: unknown) => unknown) {
  const values: unknown[] = [];
  const brokenLines: number[] = [];
  let count = 0;
  return {
    values,
    brokenLines,
    count: () => count,
    add(line: string): void {
      count++;
      if (line.trim() === "") return;
      try {
        // Check first: throwing an error for every line of a long text is slow.
        if (BEGINS_VALUE.test(line)) values.push(lighten(JSON.parse(line)));
        else brokenLines.push(count);
      } catch {
        brokenLines.push(count);
      }
    },
    /** A broken document may contain lines that are JSON by chance, such as `{}` or `1`. */
    lines(): Parsed | undefined {
      const objects = values.filter(isFields);
      if (objects.length === 0 || objects.length < brokenLines.length) return undefined;
      return { values: objects, lines: true, brokenLines };
    },
  };
}

/** Describes the error itself, because JSON.parse errors differ between engines. */
function faultOf(text: string, firstBroken: number): string {
  const said = text.trimEnd();
  const lines = said.split("\n");
  if (/^\s*[[{]/.test(text) && !/[\]}]$/.test(said)) return `it is cut off at ${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  return `it is neither JSON nor JSON lines: line ${firstBroken} is not JSON`;
}

// Recovers a truncated JSON document: cuts it after the last complete list entry and closes it.

/** The readable part of the document; undefined if no list entry is complete. */
function salvageJson(text: string): unknown {
  const open: string[] = [];
  let whole: { readonly end: number; readonly open: string } | undefined;
  let inString = false;
  const mark = (end: number) => {
    if (open.at(-1) === "[") whole = { end, open: open.join("") };
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      open.push(character);
      if (open.length > SALVAGE_DEPTH) return undefined;
    } else if (character === ",") mark(at);
    else if (character === "}" || character === "]") {
      open.pop();
      mark(at + 1);
    }
  }
  if (!whole) return undefined;
  const closers = [...whole.open].reverse().map((opener) => (opener === "{" ? "}" : "]"));
  return parseJson(text.slice(0, whole.end) + closers.join(""));
}
