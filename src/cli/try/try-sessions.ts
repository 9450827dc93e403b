// Tries rules on sessions: in this process or in workers, and not where it is known what they find.
import { orUndefined } from "../../files/folders.js";
import type { SessionHere } from "../first/agents-here.js";
import { inParallel } from "../run/pool.js";
import { knownSessions } from "./known-sessions.js";
import type { TriedRules, TryOptions } from "./tried-rules.js";
import { type TriedSession, type TryFailure, type TryUnit, tryUnit } from "./try-session.js";

type Outcome = TriedSession | TryFailure;

/**
 * @param step called with the number of finished sessions
 * @param until no session is begun later; compare with performance.now()
 */
export async function trySessions(
  sessions: readonly SessionHere[],
  options: TryOptions,
  tried: TriedRules,
  step: (count: number) => void,
  until = Number.POSITIVE_INFINITY,
): Promise<readonly Outcome[]> {
  const done: Outcome[] = [];
  const known = knownSessions(tried);
  const found: Record<string, TriedSession> = {};
  const work = tryUnit(tried);

  async function* units(): AsyncIterable<TryUnit | Outcome> {
    for (const { path, row, bytes: size } of sessions) {
      if (performance.now() > until) return;
      const bytes = row?.read();
      const unit = { path, size: bytes?.length ?? size, ...(bytes && { bytes }) };
      const key = orUndefined(() => known.keyOf(unit));
      const before = key === undefined ? undefined : known.get(key);
      yield key === undefined ? { path, failed: "it cannot be read" } : before ? { ...before, path } : { ...unit, key };
    }
  }

  const outcomes = inParallel<TryUnit | Outcome, Outcome>(units(), {
    worker: "try-worker",
    data: options,
    work: (unit) => ("size" in unit ? work(unit) : unit),
    bytesOf: (unit) => ("size" in unit ? unit.size : undefined),
    lost: (unit, error) => ("size" in unit ? { path: unit.path, failed: error?.message ?? "the worker ended" } : unit),
  });
  for await (const one of outcomes) {
    done.push(one);
    if ("key" in one) found[one.key] = one;
    step(done.length);
  }
  known.store(found);
  return done;
}
