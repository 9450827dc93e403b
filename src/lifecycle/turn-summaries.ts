// What OpenCode keeps in the `summary` of a user's message: the files that the turn changed, and a title.
import { DIFFERENCE_LINES } from "../limits.js";
import type { Lifecycle } from "../rules/rule-set.js";
import { oneLine } from "../text/forms.js";
import { asFields, asList, isFields } from "../text/json.js";
import { commonEnds, groupBy } from "../text/lists.js";
import type { Host, HostInfo, HostMessage } from "./host.js";
import { cutToTokens } from "./overflow.js";

/** A difference as hosts report it: both states of the file, or only line counts and a status. */
export interface FileDifference {
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
  readonly additions: number;
  readonly deletions: number;
  readonly status?: string;
}

/** How a session changed a file in total. */
export interface SessionDifference extends FileDifference {
  readonly status: "added" | "modified" | "deleted";
  /** False if the counts of several turns are summed up, so a line changed twice counts twice. */
  readonly net: boolean;
}

/** Merges differences, in the order in which files were first changed. A file that ends as it began is left out. */
export const aggregateDifferences = (differences: readonly FileDifference[]): readonly SessionDifference[] =>
  [...groupBy(differences, ({ file }) => file).values()].flatMap(joined);

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

/** Merges the differences that OpenCode keeps in the user's messages, one list per turn. */
export function sessionDifferences(messages: readonly HostMessage[]): readonly SessionDifference[] {
  const kept = messages.flatMap(({ info }) => (info.role === "user" ? asList(asFields(info.summary).diffs) : []));
  return aggregateDifferences(kept.filter(isDifference));
}

/** The first and last snapshot of the files, for hosts that can compare snapshots. */
export function snapshotRange(messages: readonly HostMessage[]): { readonly from: string; readonly to: string } | undefined {
  const steps = messages.flatMap(({ parts }) => parts).filter(({ snapshot }) => snapshot);
  const from = steps.find(({ type }) => type === "step-start")?.snapshot;
  const to = steps.findLast(({ type }) => type === "step-finish")?.snapshot;
  return from !== undefined && to !== undefined ? { from, to } : undefined;
}

function isDifference(value: unknown): value is FileDifference {
  if (!isFields(value) || typeof value.file !== "string") return false;
  return typeof value.additions === "number" && typeof value.deletions === "number";
}

// Counts the lines to add and remove to turn one text into another (Myers 1986, the length only).

export function countLines(before: string, after: string): Pick<FileDifference, "additions" | "deletions"> {
  const [old, young] = withoutCommonEnds(linesOf(before), linesOf(after));
  const edits = shortestEdit(old, young);
  // Beyond the limit, every line between the common ends counts as replaced.
  if (edits === undefined) return { additions: young.length, deletions: old.length };
  const deletions = (edits + old.length - young.length) / 2;
  return { additions: edits - deletions, deletions };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

type Lines = readonly string[];

function withoutCommonEnds(a: Lines, b: Lines): readonly [Lines, Lines] {
  const { start, end } = commonEnds(a, b);
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** The number of lines to remove and add; undefined beyond the limit. */
function shortestEdit(a: Lines, b: Lines): number | undefined {
  const bound = Math.min(a.length + b.length, DIFFERENCE_LINES);
  // For each diagonal, how far this number of edits leads into `a`.
  const reach = new Int32Array(2 * bound + 3);
  const middle = bound + 1;
  const at = (diagonal: number) => reach[middle + diagonal] as number;
  for (let edits = 0; edits <= bound; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return edits;
    }
  }
  return undefined;
}

/** The title of a user's message: the stored one, or the first line that the user typed. undefined for other messages. */
export function messageTitle(message: HostMessage, rules: Lifecycle): string | undefined {
  const line = oneLine(typedIn(message).trimStart().split("\n", 1)[0] as string);
  if (line === "") return undefined;
  const cut = cutToTokens(line, rules.title, rules);
  return summaryOf(message.info).title ?? (cut === line ? line : `${cut.replace(/\s\S*$/, "")} …`);
}

/** Gives each message of the user a title, if it has none, and has the host store it. */
export async function titleMessages(host: Host, sessionID: string, rules: Lifecycle): Promise<void> {
  for (const message of await host.messages(sessionID)) {
    const own = messageTitle(message, rules);
    const summary = summaryOf(message.info);
    if (own === undefined || summary.title !== undefined) continue;
    // A model that fails or says nothing does not leave the message without a title.
    const written = await host.title?.(typedIn(message)).catch(() => "");
    await host.updateMessage({ ...message.info, summary: { ...summary, title: oneLine(written ?? "") || own } });
  }
}

const summaryOf = ({ summary }: HostInfo) => asFields(summary) as { readonly title?: string };

const typedIn = ({ info, parts }: HostMessage): string =>
  (info.role === "user" && parts.find(({ type, synthetic }) => type === "text" && !synthetic)?.text) || "";
