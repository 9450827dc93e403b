// The summaries that an agent wrote into a session, and the facts that each of them had to keep.
import type { Extraction, Message, Session } from "../model.js";

export interface OwnSummary {
  readonly message: Message;
  /** What was summarised. */
  readonly before: Session;
}

export function ownSummaries(session: Session): readonly OwnSummary[] {
  const { messages } = session;
  return messages.flatMap((message, index) =>
    message.summary === true && message.text.trim() !== ""
      ? [{ message, before: { ...session, messages: messages.slice(0, index) } }]
      : [],
  );
}

/** What the agent kept beside the summary is not lost. @param extraction of the session before it */
export function summarised(extraction: Extraction, { keeps }: Message): Extraction {
  const kept = new Set(keeps);
  const items = extraction.continuation.items.filter(({ evidence }) => !kept.has(evidence.source));
  return { continuation: { ...extraction.continuation, items }, statements: extraction.statements };
}
