// Output to the terminal: exit codes, failures, colours, a progress line, standard output and standard error.
import { writeSync } from "node:fs";
import { REFRESH_MILLISECONDS } from "../../limits.js";
import { markControls } from "../../text/forms.js";

/** Work that takes longer shows a progress line. */
const PROGRESS_MILLISECONDS = 1_000;

export const EXIT = { fine: 0, findings: 1, couldNotRun: 2, aborted: 130 } as const;

export class CommandError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

// Colours and the progress line.

type Paint = (text: string) => string;

export interface Colours {
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
}

/** Starts our own escape sequences. It is random, so no other text contains it. */
const OWN = `\u001B${Math.random()}`;
const ESCAPE = "\u001B";

/** Makes a text safe for a terminal: only our own colours remain. */
export const printable = (text: string) => text.split(OWN).map(markControls).join(ESCAPE);

/** Colours for a text that is passed through `printable`. NO_COLOR and FORCE_COLOR override the type of the stream. */
export function coloursFor(stream: NodeJS.WriteStream): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = NO_COLOR ? false : FORCE_COLOR !== undefined ? FORCE_COLOR !== "0" : stream.isTTY === true && TERM !== "dumb";
  const paint =
    (code: number): Paint =>
    (text) =>
      wanted ? `${OWN}[${code}m${text}${OWN}[0m` : text;
  return { red: paint(31), yellow: paint(33), green: paint(32), dim: paint(2), bold: paint(1) };
}

export interface Progress {
  readonly step: (what: string) => void;
  readonly end: () => void;
}

/** A progress line, shown on a terminal after a second of work and cleared at the end. */
export function createProgress(): Progress {
  const begun = Date.now();
  let last = begun;
  let shown = false;
  return {
    step(what: string): void {
      const now = Date.now();
      if (now - begun < PROGRESS_MILLISECONDS || (shown && now - last < REFRESH_MILLISECONDS)) return;
      // Not earlier: loading the stream takes time.
      const stream = process.stderr;
      if (!stream.isTTY) return;
      shown = true;
      last = now;
      stream.write(`\r\u001B[K${printable(what).slice(0, Math.max(10, (stream.columns ?? 80) - 1))}`);
    },
    end(): void {
      if (shown) process.stderr.write("\r\u001B[K");
    },
  };
}

// Writes to standard output without Node's stream: loading it takes longer than most of a command's work.

const STANDARD_OUTPUT = 1;

let stream: NodeJS.WriteStream | undefined;

/** Node's stream, for commands that need it. If the reader closes the pipe, that is not an error. */
export function openStream(failed: number = EXIT.couldNotRun): NodeJS.WriteStream {
  stream ??= process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.fine);
    // The command does not wait for the write.
    warn(`compaction: standard output cannot be written (${error.code ?? error.message})\n`);
    process.exit(failed);
  });
  return stream;
}

/** Prints text for people on standard output. */
export function say(text: string): void {
  openStream().write(printable(text));
}

let errors: NodeJS.WriteStream | undefined;

/** Prints text for people on standard error. The command continues if that fails. False if the buffer is full. */
export function warn(text: string): boolean {
  // Even naming the stream loads it, which is slow.
  if (text === "") return true;
  errors ??= process.stderr.on("error", () => undefined);
  return errors.write(printable(text));
}

/** The same, but waits until the text is read, or writing fails. */
export async function warnInTurn(text: string): Promise<void> {
  if (warn(text)) return;
  await new Promise<void>((resolve) => {
    for (const event of ["drain", "error"]) errors?.once(event, () => resolve());
  });
}

/** Prints to standard output, and waits for a slow reader: unread output would fill the memory. */
export async function print(text: string): Promise<void> {
  const left = stream ? Buffer.from(text) : writeNow(Buffer.from(text));
  if (left.length > 0 && !openStream().write(left)) await new Promise<void>((resolve) => stream?.once("drain", resolve));
}

/** Writes at once and returns the rest: if the pipe is non-blocking and full, only the stream can wait. */
function writeNow(bytes: Uint8Array): Uint8Array {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(STANDARD_OUTPUT, bytes, done);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(EXIT.fine);
    // The stream reports any other error.
  }
  return bytes.subarray(done);
}
