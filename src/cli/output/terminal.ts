// The terminal: exit codes, failures, colours, a progress line, standard output and standard error, and a question to the user.
import { fstatSync, readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
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

/** Starts our own escape sequences. It is random, so no other text contains it. */
const OWN = `\u001B${Math.random()}`;
const ESCAPE = "\u001B";

/** Makes a text safe for a terminal and for the log of a job: only our own colours remain. */
export const printable = (text: string) => withoutCommands(text.split(OWN).map(markControls).join(ESCAPE));

/**
 * A job of CI obeys what it finds in its log: a line that begins with `::`, and `##[`, `##vso[` or `##teamcity[` anywhere. JSON
 * means the same as before: it has no such line, and reads the escape.
 */
const withoutCommands = (text: string) =>
  text.replace(/^((?:[^\S\r\n]|\u0085)*)(?=::)/gm, "$1\\").replace(/(##[a-z]*)\[/gi, "$1\\u005b");

const isInJob = () => ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => process.env[name]);

/** Colours of standard output, for a text that is passed through `printable`. NO_COLOR and FORCE_COLOR override its type. */
export function coloursOf() {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = NO_COLOR ? false : FORCE_COLOR !== undefined ? FORCE_COLOR !== "0" : isTerminal(1) && TERM !== "dumb";
  const paint =
    (code: number) =>
    (text: string): string =>
      wanted ? `${OWN}[${code}m${text}${OWN}[0m` : text;
  return { red: paint(31), yellow: paint(33), green: paint(32), dim: paint(2), bold: paint(1) };
}

export type Colours = ReturnType<typeof coloursOf>;

export type Progress = ReturnType<typeof createProgress>;

/** A progress line, shown on a terminal after a second of work and cleared at the end. */
export function createProgress() {
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

// Writes without Node's streams: loading them takes longer than most of a command's work. Only a terminal needs them.

const PAUSE_MILLISECONDS = 5;

/** Asks node:tty only about devices, because it loads the streams. Where a handle cannot be looked at, it may be one. */
function isTerminal(handle: 1 | 2): boolean {
  try {
    if (!fstatSync(handle).isCharacterDevice()) return false;
  } catch {}
  return isatty(handle);
}

/** Writes all of it, and waits for a slow reader: a pipe that is non-blocking and full returns EAGAIN. */
function writeAll(handle: 1 | 2, text: string): void {
  if (isTerminal(handle)) {
    (handle === 1 ? process.stdout : process.stderr).write(text);
    return;
  }
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(handle, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
    }
  }
}

/** Standard input and output. A test that runs a command in its own process redirects them. */
export interface Streams {
  readonly write: (handle: 1 | 2, text: string) => void;
  /** Fills the beginning of a chunk, and returns how many bytes that are; none at the end. */
  readonly read: (chunk: Uint8Array) => number;
}

let streams: Streams = { write: writeAll, read: (chunk) => readSync(0, chunk) };

export function redirect(others: Streams): void {
  streams = others;
}

export const readInput = (chunk: Uint8Array) => streams.read(chunk);

/** Prints data on standard output. */
export const print = (text: string): undefined => write(isInJob() ? withoutCommands(text) : text);

/** Prints commands for a CI job. The caller escapes what they quote. */
export const printCommands = (text: string): undefined => write(markControls(text));

/** If the reader closes the pipe, that is not an error. */
function write(text: string): undefined {
  try {
    streams.write(1, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(EXIT.fine);
    warn(`compaction: standard output cannot be written (${code ?? message})\n`);
    process.exit(process.exitCode ?? EXIT.couldNotRun);
  }
}

export function printJson(value: unknown): number {
  print(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.fine;
}

export const say = (text: string): undefined => write(printable(text));

/** Prints text for people on standard error. The command continues if that fails. */
export function warn(text: string): void {
  if (text === "") return;
  try {
    streams.write(2, printable(text));
  } catch {
    // Nobody would see a message about it.
  }
}

/** The user's answer to a question; undefined without a terminal, because nobody could answer. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await asked.question(question);
  } finally {
    asked.close();
  }
}
