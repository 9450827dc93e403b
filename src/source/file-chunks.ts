// A file, a piece at a time: sessions may be larger than memory is cheap.
import { closeSync, readSync } from "node:fs";
import { CHUNK_BYTES } from "../limits.js";
import { openRegular } from "../regular-file.js";

/** A chunk holds until the next is asked for. */
export function* fileChunks(path: string): Iterable<Uint8Array> {
  const file = openRegular(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) yield chunk.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
