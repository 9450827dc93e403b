// The summaries that an agent wrote into a session, and the facts that each of them had to keep.
import type { Evidence, Extraction, Message, Session } from "../model.js";

export interface OwnSummary {
  readonly message: Message;
  /** What was summarised. */
  readonly before: Session;
}

export function ownSummaries(session: Session): readonly OwnSummary[] {
  const { messages } = session;
  return messages.flatMap((message, index) =>
    message.summary === true && (message.text.trim() !== "" || message.unwritten)
      ? [{ message, before: { ...session, messages: messages.slice(0, index) } }]
      : [],
  );
}

/** What the agent kept beside the summary is not lost. @param extraction of the session before it */
export function summarised(extraction: Extraction, message: Message): Extraction {
  const isKept = keptBy(message);
  const items = extraction.continuation.items.filter(({ evidence, also }) => ![evidence, ...also].some(isKept));
  return { continuation: { ...extraction.continuation, items }, statements: extraction.statements };
}

/** Tells of a place in a message whether the agent kept it beside the summary. */
export function keptBy({ keeps, removed = {} }: Message): (place: Pick<Evidence, "source" | "start" | "end">) => boolean {
  const kept = new Set(keeps);
  return ({ source, start, end }) => {
    const [from, to] = removed[source] ?? [end, start];
    return kept.has(source) && (end <= from || start >= to);
  };
}
