// Files, and standard input, that hold a session on each line.
import { SESSION_BYTES } from "../limits.js";
import { BEGINS_VALUE, isFields } from "../source/parsed.js";
import { Failure } from "./failure.js";

const NEWLINE = 0x0a;

export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Is the first line a session by itself, and not all there is? Formats that have a record on each line have none such. */
export function holdsSessionLines(chunks: Iterable<Uint8Array>): boolean {
  let first: unknown;
  for (const { bytes } of linesIn(chunks)) {
    if (first !== undefined) return true;
    first = parse(new TextDecoder().decode(bytes));
    const list = isFields(first) ? (first.messages ?? first.data) : first;
    if (!Array.isArray(list)) return false;
  }
  return false;
}

function parse(text: string): unknown {
  if (!BEGINS_VALUE.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lines that are not blank; each has its bytes for itself. */
export function* linesIn(chunks: Iterable<Uint8Array>): Iterable<Line> {
  const splitter = createSplitter();
  for (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}

export async function* linesFrom(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  const splitter = createSplitter();
  for await (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}

function createSplitter() {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  function* line(last: Uint8Array): Iterable<Line> {
    const whole = Buffer.concat([...held, last]);
    held = [];
    bytes = 0;
    number++;
    if (whole.some((byte) => byte > 0x20)) yield { number, bytes: whole };
  }
  return {
    *take(chunk: Uint8Array): Iterable<Line> {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        yield* line(chunk.subarray(from, end));
        from = end + 1;
      }
      if (from < chunk.length) held.push(chunk.slice(from));
      bytes += chunk.length - from;
      if (bytes > SESSION_BYTES) throw new Failure(`a line has more than the ${SESSION_BYTES} bytes that are read`);
    },
    *end(): Iterable<Line> {
      if (held.length > 0) yield* line(new Uint8Array());
    },
  };
}
