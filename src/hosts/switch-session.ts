// Continues after a compaction in a new session, for hosts that keep one conversation per session.
import type { SummaryMessage } from "../compact/request.js";
import { carryCompactionState } from "../state/compaction-state.js";
import { whenFree } from "../state/lock.js";
import type { Compacted } from "./compact-session.js";

/** What a host does when it continues in a new session. */
export interface SwitchingHost {
  /** Starts a new session and returns its id. */
  startSession(): string | Promise<string>;
  appendMessage(session: string, message: SummaryMessage): unknown;
  /** Replaces what the agent has in its context. */
  replaceMessages(messages: readonly SummaryMessage[]): unknown;
}

/** The new session, and whether it knows what the old one remembered. */
export interface Switched {
  readonly session: string;
  readonly carried: boolean;
}

/**
 * Starts a new session with the summary as its first message, and passes on what the next compaction needs. The agent's
 * context is replaced last: if the host fails before, the agent continues as it was.
 * @param from the id of the session that was compacted
 */
export async function switchSession(
  from: string,
  { message }: Pick<Compacted, "message">,
  host: SwitchingHost,
  stateFolder?: string,
): Promise<Switched> {
  const session = await host.startSession();
  await host.appendMessage(session, message);
  // Without it, the next compaction counts as the first, and the message still has the summary.
  const carried = await whenFree(() => carryCompactionState(from, session, stateFolder)).catch(() => false);
  await host.replaceMessages([message]);
  return { session, carried };
}
