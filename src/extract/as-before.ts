// Messages that were read before, as the very objects they were then: what was worked out for one of them is found by it,
// and a session that is compacted again and again is held once.
import { REMEMBERED_SESSION_CHARACTERS, REMEMBERED_SESSIONS } from "../limits.js";
import type { Message, Session } from "../model.js";
import { sameMessage } from "./same-message.js";

const known = new WeakMap<object, readonly ReadonlyMap<string, Message>[]>();

/** @param owner who remembers them */
export function asBefore(owner: object, session: Session): Session {
  if (isHuge(session.messages)) return session;
  const messages = session.messages.map(recaller(owner));
  const run = new Map(messages.map((message) => [message.id, message]));
  known.set(owner, [run, ...(known.get(owner) ?? [])].slice(0, REMEMBERED_SESSIONS));
  return { ...session, messages };
}

/** A message as the object that it was, if it was read before. */
export function recaller(owner: object): (message: Message) => Message {
  const earlier = known.get(owner) ?? [];
  return (message) => {
    for (const run of earlier) {
      const before = run.get(message.id);
      if (before && before.time === message.time && sameMessage(message, before)) return before;
    }
    return message;
  };
}

/** A host that runs for days must not hold such sessions. */
export function isHuge(messages: readonly Message[]): boolean {
  let characters = 0;
  for (const { text, toolCalls } of messages) {
    characters += text.length;
    for (const { output } of toolCalls) characters += output.length;
  }
  return characters > REMEMBERED_SESSION_CHARACTERS;
}
