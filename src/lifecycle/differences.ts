// The files that a session changed: the differences of its turns as one.
import type { HostMessage } from "./host.js";
import { countLines } from "./lines.js";

/** As hosts give it: both states of the file, or only how many lines changed and whether it was added or deleted. */
export interface FileDifference {
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
  readonly additions: number;
  readonly deletions: number;
  readonly status?: string;
}

export interface SessionDifference extends FileDifference {
  readonly status: "added" | "modified" | "deleted";
  /** false where lines are added up over turns, so that one changed twice counts twice. */
  readonly net: boolean;
}

/** In the order in which files were first changed. What ends as it began is left out. */
export function aggregateDifferences(differences: readonly FileDifference[]): readonly SessionDifference[] {
  const files = new Map<string, FileDifference[]>();
  for (const difference of differences) {
    const of = files.get(difference.file);
    if (of) of.push(difference);
    else files.set(difference.file, [difference]);
  }
  return [...files.values()].flatMap(joined);
}

function joined(changes: readonly FileDifference[]): readonly SessionDifference[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return [];
  const { file, before } = first;
  const { after } = last;
  const added = first.status === undefined ? before === "" : first.status === "added";
  const deleted = last.status === undefined ? after === "" : last.status === "deleted";
  const status = deleted ? "deleted" : added ? "added" : "modified";
  if (before !== undefined && after !== undefined) {
    const { additions, deletions } = changes.length > 1 ? countLines(before, after) : first;
    return before === after && added === deleted ? [] : [{ file, before, after, additions, deletions, status, net: true }];
  }
  if (added && deleted) return [];
  const sum = (key: "additions" | "deletions") => changes.reduce((total, change) => total + change[key], 0);
  return [{ file, additions: sum("additions"), deletions: sum("deletions"), status, net: changes.length === 1 }];
}

/** Those that OpenCode keeps in the user's messages, turn by turn, as one. */
export function sessionDifferences(messages: readonly HostMessage[]): readonly SessionDifference[] {
  const kept = messages.flatMap(({ info }) => (info.role === "user" && isFields(info.summary) ? info.summary.diffs : []));
  return aggregateDifferences(kept.filter(isDifference));
}

/** The states of the files between which a host can compare by itself. */
export function snapshotRange(messages: readonly HostMessage[]): { readonly from: string; readonly to: string } | undefined {
  const steps = messages.flatMap(({ parts }) => parts).filter(({ snapshot }) => snapshot);
  const from = steps.find(({ type }) => type === "step-start")?.snapshot;
  const to = steps.findLast(({ type }) => type === "step-finish")?.snapshot;
  return from !== undefined && to !== undefined ? { from, to } : undefined;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

function isDifference(value: unknown): value is FileDifference {
  if (!isFields(value) || typeof value.file !== "string") return false;
  return typeof value.additions === "number" && typeof value.deletions === "number";
}
