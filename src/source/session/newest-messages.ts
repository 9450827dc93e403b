// Reads the newest messages of a session from the end of its file: at a tool call nobody waits for a session of many megabytes.
import { fileChunks, firstAndLast } from "../../files/regular-file.js";
import { NEWEST_BYTES, NEWEST_MOST_BYTES } from "../../limits.js";
import type { Message, Session } from "../../model.js";
import type { Needs } from "./lighten.js";
import { readSessionFrom } from "./read-session.js";

/** Its newest messages, and whether a person types in it. */
export type NewestSession = Pick<Session, "messages" | "typed">;

/** How many times more is read if too few messages are found. */
const GROWTH = 4;

/** @param isEnough are these messages enough? Otherwise more of the file is read, up to a limit */
export function newestMessages(
  file: string,
  format: string,
  needs: Needs,
  isEnough: (messages: readonly Message[]) => boolean,
): NewestSession {
  const read = (open: () => Iterable<Uint8Array>): NewestSession => readSessionFrom(open, format, needs, format).session;
  for (let bytes = NEWEST_BYTES; ; bytes *= GROWTH) {
    const ends = firstAndLast(file, bytes);
    if (ends.isWhole) break;
    const session = inLines(() => read(() => [ends.first, ends.rest]));
    // The file is no list of lines.
    if (!session) break;
    // The first line says whose session it is. A message in it is none of the newest.
    const old = new Set(inLines(() => read(() => [ends.first]))?.messages.map(({ id }) => id));
    const messages = session.messages.filter(({ id }) => !old.has(id));
    if (isEnough(messages) || bytes * GROWTH > NEWEST_MOST_BYTES) return { messages, typed: session.typed };
  }
  return firstAndLast(file, NEWEST_MOST_BYTES).isWhole ? read(() => fileChunks(file)) : { messages: [] };
}

function inLines<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
