// The history of a project: what became of its facts in each compaction. It is small, so that a status line can read it.
import { basename } from "node:path";
import { projectHome } from "../files/folders.js";
import { sameText } from "../text/words.js";
import { beginningOf, projectFileName } from "./choices.js";
import { changeState, listState, readState } from "./state.js";

const TALLIES = 500;

/** Facts that the summary kept, that were added behind it, that it may tell in other words, and that are nowhere. */
export interface Fate {
  readonly kept: number;
  readonly repaired: number;
  readonly unsure?: number;
  readonly lost: number;
}

export interface Tally {
  /** In ISO format. */
  readonly time: string;
  readonly session: string;
  /** The agent; empty if it is not known. */
  readonly host: string;
  readonly kinds: Readonly<Record<string, Fate>>;
  readonly overturned: number;
  /** Tokens that were added. */
  readonly tokens: number;
  readonly fault?: string;
}

export interface History {
  readonly version: 1;
  readonly folder: string;
  readonly keepDays?: number;
  /** Oldest first. */
  readonly tallies: readonly Tally[];
}

const HISTORY = "history";

/** A fact, and whether a summary keeps it. */
type Checked = { readonly kind: string; readonly text: string; readonly verdict: string };

/** What became of each kind of fact. @param block the text that was added to the summary */
export function fatesOf(verdicts: readonly Checked[], block: string): Readonly<Record<string, Fate>> {
  const added = sameText(block);
  /** A long fact is shortened there, and of a path only the name may be. */
  const isAdded = ({ kind, text }: Checked) =>
    added.includes(sameText(kind === "file" ? basename(text) : text.slice(0, BEGINNING)).slice(0, BEGINNING / 2));
  const kinds: Record<string, Fate> = {};
  for (const one of verdicts) {
    const { kind, verdict } = one;
    const rest = verdict === "unsure" ? "unsure" : "lost";
    const fate = verdict === "kept" ? "kept" : block !== "" && isAdded(one) ? "repaired" : rest;
    kinds[kind] = sumOf([kinds[kind] ?? NONE, { ...NONE, [fate]: 1 }]);
  }
  return kinds;
}

/** Characters of a fact by which it is found again. */
const BEGINNING = 40;
const NONE: Required<Fate> = { kept: 0, repaired: 0, unsure: 0, lost: 0 };

export function sumOf(fates: readonly Fate[]): Required<Fate> {
  const sum = { ...NONE };
  for (const fate of fates) for (const name of Object.keys(NONE) as (keyof Fate)[]) sum[name] += fate[name] ?? 0;
  return sum;
}

/** One line about a compaction, for the user. */
export function receiptOf({ kinds, overturned, tokens, fault }: Omit<Tally, "time">): string {
  if (fault !== undefined) return `compaction-rules failed: ${fault}`;
  const { kept, repaired, unsure, lost } = sumOf(Object.values(kinds));
  const total = kept + repaired + unsure + lost;
  if (total === 0) return "no facts to keep";
  const parts = [
    `kept ${kept} of ${total} facts`,
    `${repaired} repaired`,
    ...(unsure > 0 ? [`${unsure} perhaps in other words`] : []),
    ...(overturned > 0 ? [`${overturned} overturned`] : []),
  ];
  return `${parts.join(", ")}${tokens > 0 ? `; +${tokens} tokens` : ""}`;
}

/** Adds a compaction that ends now. The oldest ones are forgotten. */
export function addTally(folder: string, given: Omit<Tally, "time">, keepDays: number | undefined, state?: string): void {
  const tally = { time: new Date().toISOString(), ...given };
  const next = (value: unknown): History => ({
    version: 1,
    folder: projectHome(folder),
    ...(keepDays !== undefined && { keepDays }),
    tallies: [...talliesIn(value).filter(({ time }) => isKept(time, tally.time, keepDays)), tally].slice(-TALLIES),
  });
  changeState(projectFileName(HISTORY, folder), next, state);
}

const DAY = 86_400_000;
const isKept = (time: string, now: string, days: number | undefined) =>
  days === undefined || Date.parse(now) - Date.parse(time) <= days * DAY;

const talliesIn = (value: unknown): readonly Tally[] => {
  const { tallies } = (value ?? {}) as Partial<History>;
  return Array.isArray(tallies) ? tallies.filter((one): one is Tally => typeof one?.time === "string" && one.kinds !== null) : [];
};

export function readHistories(folder?: string, state?: string): readonly History[] {
  const home = folder === undefined ? undefined : projectHome(folder);
  const beginning = home === undefined ? `${HISTORY}-` : beginningOf(HISTORY, home);
  const names = listState(state).flatMap(({ name }) => (name.startsWith(beginning) ? [name] : []));
  return names.flatMap((name) => {
    const { value } = readState(name, state);
    const of = (value as Partial<History> | undefined)?.folder;
    const isWanted = typeof of === "string" && (home === undefined || of === home);
    return isWanted ? [{ version: 1 as const, folder: of, tallies: talliesIn(value) }] : [];
  });
}
