// The rules that the user gave a project in its sessions: a new session should not have to be told again.
import { STANDING_RULES } from "../limits.js";
import type { Item } from "../model.js";
import { factId, projectName } from "./choices.js";
import { changeState, readState } from "./state.js";

export interface StandingRule {
  /** The session in which it was said. */
  readonly session: string;
  readonly item: Item;
}

interface Standing {
  readonly version: 1;
  readonly folder: string;
  readonly rules: readonly StandingRule[];
}

const nameOf = (folder: string) => projectName("rules", folder);

export const readStanding = (folder: string, state?: string): readonly StandingRule[] =>
  rulesIn(readState(nameOf(folder), state).value);

function rulesIn(value: unknown): readonly StandingRule[] {
  const { rules } = (value ?? {}) as Partial<Standing>;
  return Array.isArray(rules) ? rules : [];
}

/** Remembers what the user said in this session; said again, a rule is as young as its last mention. */
export function rememberStanding(folder: string, session: string, items: readonly Item[], state?: string): void {
  const told = items.filter(({ kind, by, status }) => kind === "constraint" && by === "user" && status === "active");
  const ids = new Set(told.map(factId));
  const withTold = (value: unknown): Standing | undefined => {
    const known = rulesIn(value);
    const rules = [
      ...known.filter(({ item, session: from }) => from !== session && !ids.has(factId(item))),
      ...told.map((item) => ({ session, item })),
    ].slice(-STANDING_RULES);
    if (JSON.stringify(rules) === JSON.stringify(known)) return undefined;
    return { version: 1, folder, rules };
  };
  changeState(nameOf(folder), withTold, state);
}
