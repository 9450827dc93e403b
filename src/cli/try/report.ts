// Sums up what the tried rules did in all sessions.
import type { ChangedFact, Match, TriedSession, TryFailure } from "./try-session.js";

/** Matches that are listed of each rule, unless one rule is asked for. */
const LISTED = 20;

export type PlacedMatch = Match & { readonly session: string; readonly path: string };
export type PlacedChange = ChangedFact & { readonly session: string; readonly path: string };

export interface RuleTried {
  readonly id: string;
  /** The kind of its facts, or what a guard does. */
  readonly kind: string;
  readonly matches: number;
  readonly sessions: number;
  readonly projects: number;
  /** How many of the matches the next summary in the session does not tell. */
  readonly lost: number;
  readonly places: readonly PlacedMatch[];
}

export interface TryReport {
  readonly version: 1;
  readonly sessions: number;
  readonly projects: number;
  readonly rules: readonly RuleTried[];
  /** Facts that are found without the packs, and not with them. */
  readonly lost: readonly PlacedChange[];
  /** Facts of other rules that are found only with the packs. */
  readonly gained: readonly PlacedChange[];
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/** @param only the rule that is asked for */
export function toReport(
  done: readonly (TriedSession | TryFailure)[],
  declared: ReadonlyMap<string, string>,
  only: string | undefined,
): TryReport {
  const read = done.filter((one): one is TriedSession => "matches" in one);
  const unread = done.flatMap((one) => ("failed" in one ? [{ path: one.path, why: one.failed }] : []));
  const placed = <T>(of: (one: TriedSession) => readonly T[]) =>
    read.flatMap((one) => of(one).map((fact) => ({ ...fact, session: one.session, path: one.path })));
  const all = placed(({ matches }) => matches);
  const rules = [...declared].flatMap(([id, kind]): RuleTried[] => {
    if (only !== undefined && id !== only) return [];
    const places = all.filter(({ rule }) => rule === id);
    const where = read.filter(({ matches }) => matches.some(({ rule }) => rule === id));
    return [
      {
        id,
        kind,
        matches: places.length,
        sessions: where.length,
        projects: projectsOf(where),
        lost: places.filter(({ lost }) => lost).length,
        places: only === undefined ? places.slice(0, LISTED) : places,
      },
    ];
  });
  return {
    version: 1,
    sessions: read.length,
    projects: projectsOf(read),
    rules,
    lost: placed(({ lost }) => lost),
    gained: placed(({ gained }) => gained),
    unread,
  };
}

const projectsOf = (sessions: readonly TriedSession[]) => new Set(sessions.map(({ project }) => project)).size;
