// Pairs calls with their answers where the host's ids do not: by their order in a turn.

/** Calls with one id of the host's, or with none. */
interface Calls {
  /** The ids of those that wait for their answer, oldest first. */
  readonly waiting: Set<string>;
  /** Under one id: what was called → its id. The first one is compared only if there is a second one. */
  readonly known: Map<string, string>;
  readonly first: () => string;
  count: number;
}

/** Gives each call and its answer the same id: the host's own for the first call that has it. */
export function createPairing() {
  const all = new Map<string, Calls>();
  /** The calls of this turn that wait for their answer. */
  const open = new Set<string>();
  return {
    /** The user speaks: an answer without an id belongs to a later call. */
    turn: () => {
      open.clear();
      all.get(NO_ID)?.waiting.clear();
    },
    /** @param what tells a call from another one with the same id; a copy of a call gets its id again */
    call: (host: string | undefined, what: () => string): string => {
      // An empty id is none.
      const id = host || undefined;
      const given = id ?? NO_ID;
      const calls: Calls = all.get(given) ?? { waiting: new Set(), known: new Map(), first: what, count: 0 };
      all.set(given, calls);
      const isMore = id !== undefined && calls.count > 0;
      if (isMore && calls.count === 1) calls.known.set(calls.first(), given);
      const copied = isMore ? calls.known.get(what()) : undefined;
      if (copied !== undefined) return copied;
      const own = id !== undefined && calls.count === 0 ? id : `${given}#${calls.count}`;
      if (isMore) calls.known.set(what(), own);
      calls.count++;
      calls.waiting.add(own);
      open.add(own);
      return own;
    },
    /** Without an id, the oldest call that waits and has none either, else the oldest one; undefined if none waits. */
    answer: (host: string | undefined): string | undefined => {
      const id = host || undefined;
      const same = all.get(id ?? NO_ID)?.waiting;
      const oldest = first(same) ?? (id === undefined ? first(open) : undefined);
      if (oldest === undefined) return id;
      same?.delete(oldest);
      open.delete(oldest);
      return oldest;
    },
  };
}

const NO_ID = "";

const first = <T>(some: ReadonlySet<T> | undefined): T | undefined => some?.values().next().value;
