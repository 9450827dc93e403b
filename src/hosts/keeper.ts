// What the hooks of all hosts share: the project's rules, its stored state, and the sessions that are being compacted. It knows
// nothing of the host's API.

import type { JudgedCounts } from "../judge/apply-answer.js";
import { STORED_SUMMARY_CHARACTERS } from "../limits.js";
import type { Session } from "../model.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { redact, redactStart } from "../rules/redact/redact.js";
import type { Template } from "../rules/rule-set.js";
import { addTally, receiptOf, type Tally } from "../state/history.js";
import { whenFree } from "../state/lock.js";
import { changeMemory, type Memory, memoryName, toMemory, withMemory } from "../state/memory.js";
import { clearState, expireState, stateFolder as usualStateFolder } from "../state/state.js";
import { atOnce, type Late, type Steps } from "../steps.js";
import type { Log } from "./catcher.js";
import { createFactFinder, type FoundFacts } from "./finder.js";
import { loadOrFallBack, withOwnTemplates } from "./host-rules.js";
import { type Asked, askedBefore } from "./judging.js";
import { withOwnProgram } from "./own-program.js";
import { createStandingRules } from "./standing-rules.js";

type Compacting = Pick<FoundFacts, "now" | "ids" | "extraction"> & { readonly asked?: Asked };

export type Keeper = ReturnType<typeof createKeeper>;

/** @param host the agent's name, for the history
 * @param stateFolder chosen once, so that late writes go to the same place
 * @param loaded the rules of the folder, if they are already loaded */
export function createKeeper(folder: string, log: Log, host: string, stateFolder = usualStateFolder(), loaded?: LoadedRules) {
  const used = withOwnTemplates(loaded ?? loadOrFallBack(folder, log));
  return {
    ...used,
    ...createFactFinder(folder, used.rules, log, used.judge, stateFolder),
    folder,
    log,
    host,
    stateFolder,
    standing: createStandingRules(folder, used, stateFolder),
    open: new Map<string, Compacting>(),
    /** A model may repeat a secret that it saw, so a summary is masked before it is stored. */
    mask: (summary: string) => redact(summary, used.rules.redactions),
    /** What is stored when nobody waits. */
    due: [] as (() => void)[],
    /** A session was read ahead. */
    isWarm: false,
    counted: new Map<string, Omit<Tally, "time">>(),
  };
}

export const templateOf = ({ rules }: Keeper, id: string) => rules.templates.get(id) as Template;

/** The text of a template without slots. */
export const plainText = (keeper: Keeper, template: string) =>
  withOwnProgram(templateOf(keeper, template).text.trim(), keeper.folder);

export const unstored = ({ log }: Keeper, error: unknown) =>
  log("warn", `what was found cannot be stored: ${(error as Error).message}`);

/** Stores something. Retries while another process is storing; logs a failure. */
export const quietly = (keeper: Keeper, work: () => void) => void whenFree(work).catch((error) => unstored(keeper, error));

export function rememberRules(keeper: Keeper, session: Session, whole?: boolean): void {
  try {
    quietly(keeper, atOnce(keeper.standing.remember(session, whole)));
  } catch (error) {
    unstored(keeper, error);
  }
}

/** The same in steps, so that a session that is never compacted passes them on too. */
export function* readRules(keeper: Keeper, session: Session): Steps<void> {
  quietly(keeper, yield* keeper.standing.remember(session));
}

export function writeDue({ due }: Keeper): void {
  for (const write of due.splice(0)) write();
}

/** The standing rules of earlier sessions, except those of the session `known`, which this one has seen already. */
export function standingRulesText(keeper: Keeper, sessionId: string, known?: string): string | undefined {
  writeDue(keeper);
  return keeper.standing.textFor(sessionId, known);
}

const KEPT: readonly (keyof Memory)[] = ["keepDays", "noted", "told", "judged", "given", "verdicts", "block", "summary"];

/** The next memory of a session. Merges into the memory as it is at the time of writing, not as it was when it was read. */
export const nextMemory =
  (id: string, { now, ids }: Pick<Compacting, "now" | "ids">, days?: number, more?: (before?: Memory) => Partial<Memory>) =>
  (before?: Memory): Memory => {
    const kept = Object.fromEntries(Object.entries(before ?? {}).filter(([key]) => KEPT.includes(key as keyof Memory)));
    const keeping = days === undefined ? {} : { keepDays: days };
    return toMemory(id, before?.round ?? 0, withMemory(now, before, ids), { ...kept, ...more?.(before), ...keeping });
  };

export function store(keeper: Keeper, id: string, change: (before?: Memory) => Memory | undefined): void {
  quietly(keeper, () => changeMemory(id, change, keeper.stateFolder));
}

/** After a restart, the session is known only from its stored state. Where the project stands is read again, once.
 * @param session its messages, if another process asked the model that wrote its summary */
export function* compactingOf(keeper: Keeper, id: string, late?: Late, session?: Session): Steps<Compacting | undefined> {
  const known = keeper.open.get(id);
  if (known || !keeper.remembered(id)) return known;
  const found = yield* keeper.found({ id, format: "", messages: [] }, { late });
  const { now, ids, extraction } = found;
  const asked = session && keeper.judge ? askedBefore(session, found) : undefined;
  const compacting = { now, ids, extraction, ...(asked && { asked }) };
  keeper.open.set(id, compacting);
  return compacting;
}

/** Counts what became of the facts in a compaction. @param judged what the model said about the facts, if it was asked */
export function countRound(
  keeper: Keeper,
  session: string,
  tally: Pick<Tally, "kinds" | "tokens">,
  judged: JudgedCounts | undefined,
): void {
  const { folder, host, keepDays, stateFolder } = keeper;
  const whole = { session, host, ...tally, overturned: judged?.stale ?? 0 };
  keeper.counted.set(session, whole);
  quietly(keeper, () => addTally(folder, whole, keepDays, stateFolder));
}

/** One line about the compaction that was repaired last, for the user. */
export function receiptFor({ counted }: Keeper, sessionId: string): string | undefined {
  const tally = counted.get(sessionId);
  return tally && receiptOf(tally);
}

export function recordSummary(keeper: Keeper, sessionId: string, given: string): void {
  const summary = redactStart(given, STORED_SUMMARY_CHARACTERS, keeper.mask);
  store(keeper, sessionId, (memory) => (memory && memory.summary !== summary ? { ...memory, summary } : undefined));
  quietly(keeper, () => void expireState(keeper.keepDays, keeper.stateFolder));
  // Each request behind an empty summary is told what was found.
  if (summary !== "") keeper.open.delete(sessionId);
  keeper.standing.renew(sessionId);
}

export function forgetSession(keeper: Keeper, sessionId: string): void {
  writeDue(keeper);
  keeper.open.delete(sessionId);
  quietly(keeper, () => keeper.standing.forget(sessionId));
  quietly(keeper, () => void clearState(memoryName(sessionId), keeper.stateFolder));
}
