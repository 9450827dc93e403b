// Sessions named on the command line; "-" is standard input.
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type ReadSession, readSession, SessionError } from "../source/session.js";
import { Failure } from "./failure.js";

export function openSession(path: string, format: string | undefined): ReadSession {
  return toSession(readBytes(path), path, format);
}

export function toSession(bytes: Uint8Array, path: string, format: string | undefined): ReadSession {
  const shown = path === "-" ? "standard input" : path;
  try {
    const name = path === "-" ? "stdin" : basename(path).replace(/\.(jsonl?|md|txt)$/, "");
    return readSession(bytes, name, format);
  } catch (error) {
    if (error instanceof SessionError) throw new Failure(`${shown}: ${error.message}`, error.hint, error.code);
    throw error;
  }
}

export function readBytes(path: string): Uint8Array {
  try {
    if (path !== "-" && statSync(path).isDirectory()) throw new Failure(`${path} is a folder`, "name the session files in it");
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(code === "ENOENT" ? `${path} is not there` : `${path} cannot be read (${code})`);
  }
}
