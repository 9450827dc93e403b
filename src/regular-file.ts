// Reads regular files only. A pipe can wait for a writer for ever, and a device can have no end.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { CHUNK_BYTES } from "./limits.js";

/** @throws for everything else as well, with a `code` that says why */
export function openRegular(path: string): number {
  // Opening a pipe or a device can have effects of its own. If one takes the file's place now, it is not waited for.
  requireRegular(statSync(path));
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(fstatSync(handle));
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  return handle;
}

function requireRegular(info: Stats): void {
  if (info.isFile()) return;
  const code = info.isDirectory() ? "EISDIR" : "it is a device or a pipe";
  throw Object.assign(new Error(code), { code, syscall: "open" });
}

/** The beginning of a file, whatever size it claims to have. */
export function readRegular(path: string, most: number): Buffer {
  const handle = openRegular(path);
  try {
    const parts: Buffer[] = [];
    for (let left = most; left > 0; ) {
      const part = Buffer.alloc(Math.min(left, CHUNK_BYTES));
      const length = readSync(handle, part);
      if (length === 0) break;
      parts.push(part.subarray(0, length));
      left -= length;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(handle);
  }
}
