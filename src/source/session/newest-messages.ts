// Reads the newest messages of a session from the end of its file: at a tool call nobody waits for a session of many megabytes.
import { fileChunks, fileEnds } from "../../files/regular-file.js";
import { NEWEST_BYTES, NEWEST_MOST_BYTES } from "../../limits.js";
import type { Message } from "../../model.js";
import type { Needs } from "./lighten.js";
import { readSessionFrom } from "./read-session.js";

/** How many times more is read if too few messages are found. */
const GROWTH = 4;

/** @param isEnough are these messages enough? Otherwise more of the file is read, up to a limit */
export function newestMessages(
  file: string,
  format: string,
  needs: Needs,
  isEnough: (messages: readonly Message[]) => boolean,
): readonly Message[] {
  const read = (open: () => Iterable<Uint8Array>) => readSessionFrom(open, format, needs, format).session.messages;
  for (let bytes = NEWEST_BYTES; ; bytes *= GROWTH) {
    const ends = fileEnds(file, bytes);
    if (ends.isWhole) break;
    const messages = inLines(() => read(() => [ends.first, ends.rest]));
    // The file is no list of lines.
    if (!messages) break;
    // The first line says whose session it is. A message in it is none of the newest.
    const old = new Set(inLines(() => read(() => [ends.first]))?.map(({ id }) => id));
    const newest = messages.filter(({ id }) => !old.has(id));
    if (isEnough(newest) || bytes * GROWTH > NEWEST_MOST_BYTES) return newest;
  }
  return fileEnds(file, NEWEST_MOST_BYTES).isWhole ? read(() => fileChunks(file)) : [];
}

function inLines<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
