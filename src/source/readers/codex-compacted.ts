// What Codex keeps of a session when it compacts it. The `replacement_history` of a `compacted` record is all that the model sees
// from then on: with a summary of its own the newest 20,000 tokens of the user, with one of the provider's an encrypted item and
// the newest 64,000, and without summaries nothing that was said.
import type { Message } from "../../model.js";
import { asFields, asText, fieldsIn, type JsonFields } from "../../text/json.js";

/** What a compaction left of the messages before it. */
export type Left = Pick<Message, "keeps" | "removed" | "unwritten">;

/** Older files have no `replacement_history`. Codex counts four bytes as a token. */
const KEPT_BYTES = 80_000;
/** Codex writes this in place of the middle that it removed from a message. */
const REMOVED = /…\d+ tokens truncated…/;

type Place = readonly [from: number, to: number];

/** @param read the messages of an entry of `replacement_history` that a person said */
export function leftBy(
  payload: JsonFields,
  summary: string,
  messages: readonly Message[],
  read: (entry: JsonFields) => readonly Message[],
): Left {
  const said = messages.filter((one) => one.role === "user" && !one.summary && !one.meta);
  const { replacement_history: history } = payload;
  if (!Array.isArray(history)) return { keeps: newest(said).map(({ id }) => id) };
  const keeps = new Map<string, Place | undefined>();
  const byId = new Map(messages.map((one) => [one.id, one]));
  for (const one of fieldsIn(history).flatMap((entry) => read(rejoined(entry)))) {
    const pieces = one.text.split(REMOVED);
    // Older versions give no ids.
    const at = byId.get(one.id) ?? said.find((other) => !keeps.has(other.id) && isMadeOf(other.text, pieces));
    if (at) keeps.set(at.id, isMadeOf(at.text, pieces) ? removedFrom(at.text, pieces) : undefined);
  }
  const removed = Object.fromEntries([...keeps].flatMap(([id, range]) => (range ? [[id, range]] : [])));
  const isEncrypted = fieldsIn(history).some((entry) => asText(entry.encrypted_content) !== undefined);
  return {
    keeps: [...keeps.keys()],
    ...(Object.keys(removed).length > 0 && { removed }),
    ...(summary === "" && !isEncrypted && { unwritten: true }),
  };
}

/** The newest messages within the budget. Of one at its edge, a part was kept. */
function newest(said: readonly Message[]): readonly Message[] {
  let left = KEPT_BYTES;
  return said.toReversed().filter(({ text }) => {
    const fits = left > 0;
    left -= new TextEncoder().encode(text).length;
    return fits;
  });
}

/** Newer versions store a shortened text in two parts: before and after the removed middle. */
function rejoined(entry: JsonFields): JsonFields {
  const texts = fieldsIn(entry.content).map(({ text }) => asText(text) ?? "");
  return texts.some((text) => REMOVED.test(text)) ? { id: entry.id, role: entry.role, content: texts.join("") } : entry;
}

/** The whole of a text; of a shortened one, its start and its end. */
function isMadeOf(text: string, pieces: readonly string[]): boolean {
  const [start, end] = endsOf(pieces);
  return pieces.length === 1 ? text === start : text.startsWith(start) && text.endsWith(end);
}

function removedFrom(text: string, pieces: readonly string[]): Place | undefined {
  const [start, end] = endsOf(pieces);
  return pieces.length === 1 ? undefined : [start.length, Math.max(start.length, text.length - end.length)];
}

const endsOf = (pieces: readonly string[]) => [(pieces[0] ?? "").trimStart(), (pieces.at(-1) ?? "").trimEnd()] as const;

/** Keeps the entries that a person may have said in full, because they are compared with the messages. A record without a history
 * stays without. */
export const lightenHistory = (history: unknown, short: <T>(value: T) => T): unknown =>
  Array.isArray(history) ? history.map((entry) => (asFields(entry).role === "user" ? entry : short(entry))) : undefined;
