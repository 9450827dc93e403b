// Reads regular files only: a pipe may wait for a writer for ever, and a device may be endless. Writes files atomically.

import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { CHUNK_BYTES } from "../limits.js";

/** @throws for anything that is not a regular file, with a `code` that says why */
function openRegular(path: string): number {
  // Opening a pipe or a device may have side effects. If one replaces the file after this check, O_NONBLOCK prevents waiting.
  requireRegular(fs.statSync(path));
  const handle = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(fs.fstatSync(handle));
  } catch (error) {
    fs.closeSync(handle);
    throw error;
  }
  return handle;
}

function requireRegular(info: fs.Stats): void {
  if (info.isFile()) return;
  const code = info.isDirectory() ? "EISDIR" : "it is a device or a pipe";
  throw Object.assign(new Error(code), { code, syscall: "open" });
}

/** The start of a file, whatever size it reports. */
export function readRegular(path: string, most: number): Buffer {
  const handle = openRegular(path);
  try {
    const parts: Buffer[] = [];
    for (let left = most; left > 0; ) {
      const part = Buffer.alloc(Math.min(left, CHUNK_BYTES));
      const length = fs.readSync(handle, part);
      if (length === 0) break;
      parts.push(part.subarray(0, length));
      left -= length;
    }
    return Buffer.concat(parts);
  } finally {
    fs.closeSync(handle);
  }
}

/** Reads a file in chunks. A chunk is valid until the next one is requested. */
export function* fileChunks(path: string): Iterable<Uint8Array> {
  const file = openRegular(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let length = fs.readSync(file, chunk); length > 0; length = fs.readSync(file, chunk)) yield chunk.subarray(0, length);
  } finally {
    fs.closeSync(file);
  }
}

/** The ends of a long file, as whole lines. @returns undefined if it has at most `most` bytes, or no line that ends in each part */
export function readEnds(path: string, most: number) {
  return withParts(path, (size, part) => {
    if (size <= most) return undefined;
    const start = Math.floor(most / START_SHARE);
    const from = size - (most - start);
    const [head, tail] = [part(0, start), part(from, most - start)];
    const [end, begin] = [head.lastIndexOf(NEWLINE) + 1, tail.indexOf(NEWLINE) + 1];
    if (end === 0 || begin === 0) return undefined;
    return { head: head.subarray(0, end), tail: tail.subarray(begin), left: from + begin - end };
  });
}

/** The first line of a file, and the whole lines among its last bytes. */
export function firstAndLast(path: string, bytes: number) {
  return withParts(path, (size, part) => {
    const start = part(0, Math.min(bytes, size));
    const end = part(Math.max(0, size - bytes), Math.min(bytes, size));
    const [first, rest] = [start.subarray(0, start.indexOf(NEWLINE) + 1), end.subarray(end.indexOf(NEWLINE) + 1)];
    return { isWhole: size <= bytes, first, rest };
  });
}

/** The start of a session says what it is about, the end where it is. */
const START_SHARE = 8;
const NEWLINE = 0x0a;

function withParts<T>(path: string, use: (size: number, part: (from: number, length: number) => Buffer) => T): T {
  const handle = openRegular(path);
  try {
    return use(fs.fstatSync(handle).size, (from, length) => readPart(handle, from, length));
  } finally {
    fs.closeSync(handle);
  }
}

function readPart(handle: number, from: number, length: number): Buffer {
  const part = Buffer.alloc(length);
  let read = 0;
  for (let more = -1; more !== 0 && read < length; read += more)
    more = fs.readSync(handle, part, read, length - read, from + read);
  return part.subarray(0, read);
}

interface ReplaceOptions {
  /** The mode of a new file; the umask may reduce it. */
  readonly mode?: number;
  /** The exact mode, such as that of the replaced file. */
  readonly exactMode?: number | undefined;
  /** Called when the text is on disk; false cancels the replacement. */
  readonly ready?: () => boolean;
}

/** Writes the text to a draft and renames it, so a reader sees the old file or the new one, never a part. A link is replaced, not
 * followed. Returns whether the file was replaced. */
export function replaceFile(file: string, text: string, { mode = 0o666, exactMode, ready }: ReplaceOptions = {}): boolean {
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    const handle = fs.openSync(draft, "wx", mode);
    try {
      if (exactMode !== undefined) fs.fchmodSync(handle, exactMode & 0o777);
      fs.writeFileSync(handle, text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    if (ready && !ready()) return false;
    fs.renameSync(draft, file);
    return true;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}
