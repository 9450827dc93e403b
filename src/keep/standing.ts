// The rules that the user gave a project in its sessions: a new session should not have to be told again.
import { STANDING_RULES } from "../limits.js";
import type { Item } from "../model.js";
import { factId, projectName } from "./choices.js";
import { readState, writeState } from "./state.js";

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

export function readStanding(folder: string, state?: string): readonly StandingRule[] {
  const { rules } = (readState(nameOf(folder), state).value ?? {}) as Partial<Standing>;
  return Array.isArray(rules) ? rules : [];
}

/** Remembers what the user said in this session; said again, a rule is as young as its last mention. */
export function rememberStanding(folder: string, session: string, items: readonly Item[], state?: string): void {
  const told = items.filter(({ kind, by, status }) => kind === "constraint" && by === "user" && status === "active");
  const known = readStanding(folder, state);
  const ids = new Set(told.map(factId));
  const rules = [
    ...known.filter(({ item, session: from }) => from !== session && !ids.has(factId(item))),
    ...told.map((item) => ({ session, item })),
  ];
  if (JSON.stringify(rules) === JSON.stringify(known)) return;
  writeState(nameOf(folder), { version: 1, folder, rules: rules.slice(-STANDING_RULES) } as Standing, state);
}
