// Sessions named on the command line; "-" is standard input.
import { readFileSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { INPUT_BYTES, INPUT_MILLISECONDS } from "../limits.js";
import { type ReadSession, readSession, SessionError } from "../source/session.js";
import { Failure } from "./failure.js";

/** @param name what the session is called when it has no id of its own */
export function openSession(path: string, format: string | undefined, name = nameOf(path)): ReadSession {
  return toSession(readBytes(path), path, format, name);
}

/** What a session is called that has no id of its own. */
export const nameOf = (path: string) => (path === "-" ? "stdin" : basename(path).replace(/\.(jsonl?|md|txt)$/, ""));

export function toSession(bytes: Uint8Array, path: string, format: string | undefined, name = nameOf(path)): ReadSession {
  const shown = path === "-" ? "standard input" : path;
  try {
    return readSession(bytes, name, format);
  } catch (error) {
    if (error instanceof SessionError) throw new Failure(`${shown}: ${error.message}`, error.hint, error.code);
    throw error;
  }
}

export function readBytes(path: string): Uint8Array {
  try {
    if (path !== "-" && statSync(path).isDirectory()) throw new Failure(`${path} is a folder`, "name the session files in it");
    return path === "-" ? readStandardInput() : readFileSync(path);
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(path, error as NodeJS.ErrnoException);
  }
}

/** A pipe that a dependency's import of node:process has made non-blocking says EAGAIN until its writer has come further. */
function readStandardInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const chunk = new Uint8Array(INPUT_BYTES);
    try {
      const length = readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return Buffer.concat(chunks);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, INPUT_MILLISECONDS);
    }
  }
}

export function unreadable(path: string, { code }: NodeJS.ErrnoException): Failure {
  return new Failure(code === "ENOENT" ? `${path} is not there` : `${path} cannot be read (${code})`);
}
