// Sessions named on the command line; "-" is standard input.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { INPUT_BYTES, INPUT_MILLISECONDS } from "../limits.js";
import { fileChunks } from "../source/file-chunks.js";
import type { Needs } from "../source/lighten.js";
import { type ReadSession, readSession, readSessionFrom, SessionError } from "../source/session.js";
import { Failure } from "./failure.js";

/** Bytes that can be read from their beginning more than once. */
export interface Input {
  /** What messages call it. */
  readonly shown: string;
  /** What a session in it is called that has no id of its own. */
  readonly name: string;
  /** A chunk holds until the next is asked for. */
  readonly open: () => Iterable<Uint8Array>;
  /** The same for the last time. */
  readonly last: () => Iterable<Uint8Array>;
}

export const STANDARD_INPUT = "-";

/** What a session is called that has no id of its own. */
export const nameOf = (path: string) => (path === STANDARD_INPUT ? "stdin" : basename(path).replace(/\.(jsonl?|md|txt)$/, ""));

export function inputOf(path: string): Input {
  if (path === STANDARD_INPUT)
    return { shown: "standard input", name: nameOf(path), ...replaying(pipeChunks(0, "standard input")) };
  forbidFolder(path);
  // Who names a pipe on the command line, such as <(command), has somebody who writes into it.
  return isFile(path) ? fileInput(path) : { ...fileInput(path), ...replaying(openPipe(path)) };
}

/** A file that somebody else than the user may have named: nothing but a regular file is read. */
export function fileInput(path: string): Input {
  const open = () => chunksOf(path);
  return { shown: path, name: nameOf(path), open, last: open };
}

/** A line of an input, which is a session by itself. */
export const lineOf = ({ shown, name }: Pick<Input, "shown" | "name">, number: number, bytes: Uint8Array): Input => ({
  shown: `${shown}:${number}`,
  name: `${name}:${number}`,
  open: () => [bytes],
  last: () => [bytes],
});

export function openSession({ shown, name, open }: Input, needs: Needs, format: string | undefined): ReadSession {
  return orFailure(shown, () => readSessionFrom(open, name, needs, format));
}

/** @param name what the session is called when it has no id of its own */
export function toSession(bytes: Uint8Array, path: string, format: string | undefined, name = nameOf(path)): ReadSession {
  return orFailure(path === STANDARD_INPUT ? "standard input" : path, () => readSession(bytes, name, format));
}

function orFailure(shown: string, read: () => ReadSession): ReadSession {
  try {
    return read();
  } catch (error) {
    if (error instanceof SessionError) throw new Failure(`${shown}: ${error.reason}`, error.hint, error.code);
    throw error;
  }
}

export function readBytes(path: string): Uint8Array {
  const copies: Uint8Array[] = [];
  for (const chunk of inputOf(path).last()) copies.push(chunk.slice());
  return Buffer.concat(copies);
}

/** What a pipe hands over may be a part of the session. */
export const isFile = (path: string) => path !== STANDARD_INPUT && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function forbidFolder(path: string): void {
  try {
    if (statSync(path).isDirectory()) throw new Failure(`${path} is a folder`, "name the session files in it");
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(path, error as NodeJS.ErrnoException);
  }
}

function* chunksOf(path: string): Iterable<Uint8Array> {
  try {
    yield* fileChunks(path);
  } catch (error) {
    throw typeof (error as NodeJS.ErrnoException).syscall === "string" ? unreadable(path, error as NodeJS.ErrnoException) : error;
  }
}

/** What can be read only once is held as long as it may be needed again. */
function replaying(chunks: Iterable<Uint8Array>): Pick<Input, "open" | "last"> {
  let held: Uint8Array[] = [];
  const rest = chunks[Symbol.iterator]();
  function* read(keep: boolean): Iterable<Uint8Array> {
    const before = held;
    if (!keep) held = [];
    yield* before;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      if (keep) held.push(next.value);
      yield next.value;
    }
  }
  return { open: () => read(true), last: () => read(false) };
}

function* openPipe(path: string): Iterable<Uint8Array> {
  const handle = openSync(path, "r");
  try {
    yield* pipeChunks(handle, path);
  } finally {
    closeSync(handle);
  }
}

/** A pipe that a dependency's import of node:process has made non-blocking says EAGAIN until its writer has come further. */
function* pipeChunks(handle: number, shown: string): Iterable<Uint8Array> {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const chunk = new Uint8Array(INPUT_BYTES);
    try {
      const length = readSync(handle, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return;
      if (code === undefined) throw error;
      if (code !== "EAGAIN") throw unreadable(shown, error as NodeJS.ErrnoException);
      Atomics.wait(pause, 0, 0, INPUT_MILLISECONDS);
    }
  }
}

export function unreadable(path: string, { code }: NodeJS.ErrnoException): Failure {
  return new Failure(code === "ENOENT" ? `${path} is not there` : `${path} cannot be read (${code})`);
}
