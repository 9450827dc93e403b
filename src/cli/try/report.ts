// Sums up what the tried rules did in all sessions.

import type { TriedRules } from "./tried-rules.js";
import type { ChangedFact, NearMiss, TriedFact, TriedSession, TryFailure } from "./try-session.js";

/** Matches that are listed of each rule, unless one rule is asked for. */
const LISTED = 20;

type Placed<T> = T & { readonly session: string; readonly path: string };
export type PlacedMatch = Placed<TriedFact>;
export type PlacedChange = Placed<ChangedFact>;

export interface RuleTried {
  readonly id: string;
  /** The kind of its facts, or what a guard does. */
  readonly kind: string;
  readonly matches: number;
  readonly sessions: number;
  readonly projects: number;
  /** How many of the matches the next summary in the session does not tell. */
  readonly lost: number;
  /** Phrases that never fire although the rule does. */
  readonly silent: readonly string[];
  readonly places: readonly PlacedMatch[];
  /** Of the rule that was asked for. */
  readonly near?: readonly Placed<NearMiss>[];
}

export interface TryReport {
  readonly version: 1;
  readonly sessions: number;
  readonly projects: number;
  readonly rules: readonly RuleTried[];
  /** The revision that the packs are compared with. */
  readonly against?: string;
  /** Facts that are found without the packs, or in the revision, and not with them. */
  readonly lost: readonly PlacedChange[];
  /** Facts of other rules that are found only with the packs. */
  readonly gained: readonly PlacedChange[];
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/** @param only the rule that is asked for */
export function toReport(
  done: readonly (TriedSession | TryFailure)[],
  { declared }: TriedRules,
  only: string | undefined,
  against: string | undefined,
): TryReport {
  const read = done.filter((one): one is TriedSession => "matches" in one);
  const unread = done.flatMap((one) => ("failed" in one ? [{ path: one.path, why: one.failed }] : []));
  const placed = <T>(of: (one: TriedSession) => readonly T[]) =>
    read.flatMap((one) => of(one).map((fact) => ({ ...fact, session: one.session, path: one.path })));
  const all = placed(({ matches }) => matches);
  const rules = [...declared].flatMap(([id, { kind, phrases }]): RuleTried[] => {
    if (only !== undefined && id !== only) return [];
    const places = all.filter(({ rule }) => rule === id);
    const heard = new Set(places.map(({ phrase }) => phrase));
    // Where no phrase is known to match, a pattern did, or the words are not those that were matched.
    const silent = heard.has(undefined) ? [] : phrases.filter(({ source }) => !heard.has(source)).map(({ source }) => source);
    const where = read.filter(({ matches }) => matches.some(({ rule }) => rule === id));
    return [
      {
        id,
        kind,
        matches: places.length,
        sessions: where.length,
        projects: projectsOf(where),
        lost: places.filter(({ lost }) => lost).length,
        silent: places.length > 0 ? silent : [],
        places: only === undefined ? places.slice(0, LISTED) : places,
        ...(only !== undefined && { near: placed(({ near }) => near) }),
      },
    ];
  });
  return {
    version: 1,
    sessions: read.length,
    projects: projectsOf(read),
    rules,
    ...(against !== undefined && { against }),
    lost: placed(({ lost }) => lost),
    gained: placed(({ gained }) => gained),
    unread,
  };
}

const projectsOf = (sessions: readonly TriedSession[]) => new Set(sessions.map(({ project }) => project)).size;
