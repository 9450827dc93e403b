// Which messages somebody said, and their short names.
import type { Message, Session } from "../../model.js";

/** Not inserted by a machine, and not the host's own summary. */
export const isSpokenMessage = ({ meta, summary }: Message) => meta !== true && summary !== true;

// Short names of messages, which a brief shows and a command takes: `m12` is the twelfth message.

const NAME = /^m(\d+)$/;

/** Id → name. If an id looks like a name, ids are the names. */
export function messageNames({ messages }: Session): ReadonlyMap<string, string> {
  const isTaken = messages.some(({ id }) => NAME.test(id));
  return new Map([...messages.entries()].reverse().map(([index, { id }]) => [id, isTaken ? id : `m${index + 1}`]));
}

export function messageNamed(name: string, { messages }: Session): string {
  const isId = messages.some(({ id }) => id === name || NAME.test(id));
  return (isId ? undefined : messages[Number(NAME.exec(name)?.[1]) - 1]?.id) ?? name;
}
