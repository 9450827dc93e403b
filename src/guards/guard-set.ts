// Guards of one origin, with what decides about them. Sets are kept apart, so that nothing in a file that the user does not trust
// reaches the guards of the user or of a trusted file: no id, no signal, no table of tools or programs.
import type { Guard } from "../rules/guard.js";
import type { CallContext } from "./match-guards.js";

/** The user's own settings and pins, the files that the user trusts, and the other files of the project. */
export type Origin = "own" | "trusted" | "others";

/** How calls are read for a set. */
export type Tables = Pick<CallContext, "tools" | "shell" | "scratch">;

export interface GuardSet<T extends Tables = Tables> {
  readonly of: Origin;
  readonly guards: readonly Guard[];
  readonly rules: T;
}
