// Reads a session while the model works on its answer, so that a compaction finds most of it read. A slice at a time, and
// for nothing but what the engine then remembers: whatever goes wrong, the compaction reads everything itself.
import { keepNewest } from "../keep/newest.js";
import { AHEAD_MESSAGES, AHEAD_PAUSE_MILLISECONDS, AHEAD_SESSIONS, AHEAD_SLICE_MILLISECONDS } from "../limits.js";

export interface ReadAhead {
  /**
   * @param messages how many there are
   * @param begin makes the steps; what it does by itself is the first of them
   */
  readonly offer: (sessionId: string, messages: number, begin: () => Iterator<unknown>) => void;
  /** Somebody waits now: what is under way is given up. */
  readonly stop: () => void;
}

/** @param least new messages after which a session is read again */
export function createReadAhead(least = AHEAD_MESSAGES): ReadAhead {
  /** How many messages a session had when it was read last. */
  const read = new Map<string, number>();
  /** What is under way. */
  let current: (() => Iterator<unknown>) | undefined;

  function go(begin: () => Iterator<unknown>, steps?: Iterator<unknown>): void {
    if (begin !== current) return;
    const until = Date.now() + AHEAD_SLICE_MILLISECONDS;
    try {
      const next = steps ?? begin();
      while (Date.now() < until) if (next.next().done) return stop();
      later(begin, next);
    } catch {
      stop();
    }
  }

  const later = (begin: () => Iterator<unknown>, steps?: Iterator<unknown>) =>
    setTimeout(() => go(begin, steps), AHEAD_PAUSE_MILLISECONDS).unref?.();

  function stop(): void {
    current = undefined;
  }

  return {
    offer(sessionId, messages, begin) {
      // After a compaction a request holds few messages again.
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
