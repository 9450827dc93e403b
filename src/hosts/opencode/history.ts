// Reads the stored messages of a session from OpenCode. For a known session, only the newest messages are requested and appended
// to the known ones, because reading a long session takes most of the time of a compaction.
import {
  AHEAD_MESSAGES,
  AHEAD_SESSIONS,
  AHEAD_SLICE_MILLISECONDS,
  HISTORY_TAIL,
  REMEMBERED_SESSION_CHARACTERS,
  REMEMBERED_SESSIONS,
} from "../../limits.js";
import type { Message, Session } from "../../model.js";
import { keepNewest } from "../../text/remember.js";
import { lengthOfMessage } from "../finder.js";

const AHEAD_PAUSE_MILLISECONDS = 2;

/** Returns the newest messages up to a limit, oldest first; without a limit, all of them. */
type AskMessages = (sessionId: string, limit?: number) => Promise<readonly unknown[] | undefined>;

interface Known {
  readonly messages: readonly Message[];
  readonly places: ReadonlyMap<string, number>;
  readonly changed: Set<string>;
}

/** @param toSession converts messages to a session */
export function createHistory(ask: AskMessages, toSession: (id: string, messages: readonly unknown[]) => Session) {
  const known = new Map<string, Known>();
  /** Sessions that are being read, and the messages that change meanwhile. */
  const reading = new Map<string, Set<string>>();

  function keep(id: string, { messages }: Session, changed: Set<string>): void {
    if (isHuge(messages)) return;
    const places = new Map(messages.map((message, place) => [message.id, place]));
    keepNewest(known, id, { messages, places, changed }, REMEMBERED_SESSIONS);
  }

  async function readAll(id: string): Promise<Session | undefined> {
    const all = await ask(id);
    return all && toSession(id, all);
  }

  /** Undefined if the newest messages do not connect to the known ones. */
  async function readNewest(id: string, { messages, places, changed }: Known): Promise<Session | undefined> {
    const old = [...changed].filter((message) => places.has(message));
    const limit = changed.size - old.length + HISTORY_TAIL;
    if (limit >= messages.length) return undefined;
    const newest = await ask(id, limit);
    if (!newest || newest.length === 0) return undefined;
    const session = toSession(id, newest);
    // An answer must be read together with its question.
    const from = session.messages.findIndex(({ role }) => role === "user");
    const place = places.get(session.messages[from]?.id ?? "");
    if (place === undefined || old.some((message) => (places.get(message) as number) < place)) return undefined;
    return { ...session, messages: [...messages.slice(0, place), ...session.messages.slice(from)] };
  }

  return {
    async read(id: string): Promise<Session | undefined> {
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
    /** Records changes to messages that were already read. */
    onEvent({ type, properties }: { readonly type: string; readonly properties?: Record<string, unknown> }): void {
      if (!type.startsWith("message.")) return;
      const changed = changedIn(properties ?? {});
      if (changed) (reading.get(changed.session) ?? known.get(changed.session)?.changed)?.add(changed.message);
    },
  };
}

type Names = { readonly id?: string; readonly sessionID?: string; readonly messageID?: string };

interface Named extends Names {
  readonly info?: Names;
  readonly part?: Names & { readonly state?: { readonly time?: { readonly compacted?: unknown } } };
}

function changedIn({ sessionID, messageID, info, part }: Named): { session: string; message: string } | undefined {
  // OpenCode marks old tool output that the model no longer sees; the output itself has not changed.
  if (part?.state?.time?.compacted !== undefined) return undefined;
  const session = sessionID ?? info?.sessionID ?? part?.sessionID;
  const message = messageID ?? part?.messageID ?? info?.id;
  return session !== undefined && message !== undefined ? { session, message } : undefined;
}

/** Is the session too large to cache in a host that runs for days? */
const isHuge = (messages: readonly Message[]): boolean =>
  messages.reduce((sum, message) => sum + lengthOfMessage(message), 0) > REMEMBERED_SESSION_CHARACTERS;

// Reads a session in small slices while the model works, so that a later compaction finds most results in the cache. It has no
// other effect: if it fails, the compaction reads everything itself.

/** @param least number of new messages after which a session is read again */
export function createReadAhead(least = AHEAD_MESSAGES) {
  /** How many messages a session had when it was last read. */
  const read = new Map<string, number>();
  let current: (() => Iterator<unknown>) | undefined;

  function go(begin: () => Iterator<unknown>, steps?: Iterator<unknown>): void {
    if (begin !== current) return;
    const until = performance.now() + AHEAD_SLICE_MILLISECONDS;
    try {
      const next = steps ?? begin();
      while (performance.now() < until) if (next.next().done) return stop();
      later(begin, next);
    } catch {
      stop();
    }
  }

  const later = (begin: () => Iterator<unknown>, steps?: Iterator<unknown>) =>
    setTimeout(() => go(begin, steps), AHEAD_PAUSE_MILLISECONDS).unref?.();

  /** Cancels the reading, because a user is waiting now. */
  function stop(): void {
    current = undefined;
  }

  return {
    /** @param messages how many messages the session has @param begin creates the steps; its own work counts as the first step */
    offer(sessionId: string, messages: number, begin: () => Iterator<unknown>): void {
      // After a compaction, a request has few messages again.
      const before = Math.min(read.get(sessionId) ?? 0, messages);
      const due = messages - before >= least;
      keepNewest(read, sessionId, due ? messages : before, AHEAD_SESSIONS);
      if (!due) return;
      current = begin;
      later(begin);
    },
    stop,
  };
}
