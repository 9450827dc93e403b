// What OpenCode has stored of a session. Of a session that was read before only the newest messages are asked for, and put
// behind the others as they were: in a long session that is nearly all that a compaction waits for.
import { keepNewest } from "../keep/newest.js";
import { HISTORY_TAIL, REMEMBERED_SESSIONS } from "../limits.js";
import type { Message, Session } from "../model.js";

/** The newest messages up to a limit, the oldest of them first; without a limit all. */
export type AskMessages = (sessionId: string, limit?: number) => Promise<readonly unknown[] | undefined>;

export interface HostEvent {
  readonly type: string;
  readonly properties?: Record<string, unknown>;
}

export interface History {
  readonly read: (sessionId: string) => Promise<Session | undefined>;
  /** Takes note of what changes in messages that were read. */
  readonly onEvent: (event: HostEvent) => void;
}

interface Known {
  readonly messages: readonly Message[];
  readonly places: ReadonlyMap<string, number>;
  /** Messages of which the host has told since they were asked for. */
  readonly changed: Set<string>;
}

/**
 * @param toSession reads messages, those that were read before as the objects they were
 * @param isKept whether a session may be held for the next time
 */
export function createHistory(
  ask: AskMessages,
  toSession: (id: string, messages: readonly unknown[]) => Session,
  isKept: (session: Session) => boolean,
): History {
  const known = new Map<string, Known>();
  /** Sessions that are being read, and what the host tells of them meanwhile. */
  const reading = new Map<string, Set<string>>();

  function keep(id: string, session: Session, changed: Set<string>): void {
    if (!isKept(session)) return;
    const { messages } = session;
    const places = new Map(messages.map((message, place) => [message.id, place]));
    keepNewest(known, id, { messages, places, changed }, REMEMBERED_SESSIONS);
  }

  async function readAll(id: string): Promise<Session | undefined> {
    const all = await ask(id);
    return all && toSession(id, all);
  }

  /** Undefined when the newest messages do not tell how the session goes on from what is known. */
  async function readNewest(id: string, { messages, places, changed }: Known): Promise<Session | undefined> {
    const old = [...changed].filter((message) => places.has(message));
    const limit = changed.size - old.length + HISTORY_TAIL;
    if (limit >= messages.length) return undefined;
    const newest = await ask(id, limit);
    if (!newest || newest.length === 0) return undefined;
    const session = toSession(id, newest);
    // An answer is read together with its question.
    const from = session.messages.findIndex(({ role }) => role === "user");
    const place = places.get(session.messages[from]?.id ?? "");
    if (place === undefined || old.some((message) => (places.get(message) as number) < place)) return undefined;
    return { ...session, messages: [...messages.slice(0, place), ...session.messages.slice(from)] };
  }

  return {
    async read(id) {
      if (reading.has(id)) return readAll(id);
      const before = known.get(id);
      const changed = new Set<string>();
      known.delete(id);
      reading.set(id, changed);
      try {
        const session = (before && (await readNewest(id, before))) ?? (await readAll(id));
        if (session) keep(id, session, changed);
        return session;
      } finally {
        reading.delete(id);
      }
    },
    onEvent({ type, properties }) {
      if (!type.startsWith("message.")) return;
      const told = toldIn(properties ?? {});
      if (told) (reading.get(told.session) ?? known.get(told.session)?.changed)?.add(told.message);
    },
  };
}

interface Names {
  readonly id?: string;
  readonly sessionID?: string;
  readonly messageID?: string;
}

interface Told extends Names {
  readonly info?: Names;
  readonly part?: Names & { readonly state?: { readonly time?: { readonly compacted?: unknown } } };
}

/** Whose message an event is about. */
function toldIn({ sessionID, messageID, info, part }: Told): { session: string; message: string } | undefined {
  // OpenCode marks old tool output that the model is no longer shown: it stays what it was.
  if (part?.state?.time?.compacted !== undefined) return undefined;
  const session = sessionID ?? info?.sessionID ?? part?.sessionID;
  const message = messageID ?? part?.messageID ?? info?.id;
  return session !== undefined && message !== undefined ? { session, message } : undefined;
}
