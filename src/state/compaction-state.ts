// What one compaction passes on to the next, for hosts that keep their own sessions. It is stored with the memory of the
// session, never in the host's file. If nothing is stored, the next compaction counts as the first.
import { PINS } from "../extract/settle/by-hand.js";
import type { JudgedFact } from "../judge/judged.js";
import type { FileLists, Item } from "../model.js";
import { whenFree } from "./lock.js";
import { changeMemory, emptyExtraction, type Memory, mergeFiles, readMemory, toMemory } from "./memory.js";

/** What one compaction passes on to the next. */
export interface CompactionState {
  /** The summary, with the lists of files after it. */
  readonly lastSummary: string;
  /** Files that were only read. */
  readonly readFiles: readonly string[];
  /** Files that were created or modified, and still exist. */
  readonly modifiedFiles: readonly string[];
}

/** The files listed after a summary. */
export type ListedFiles = { readonly read: readonly string[]; readonly modified: readonly string[] };

export function listedFiles({ read, created, modified, deleted, aside = [] }: FileLists): ListedFiles {
  const changed = new Set([...created, ...modified]);
  const gone = new Set([...deleted, ...aside]);
  return {
    read: [...new Set(read)].filter((path) => !changed.has(path) && !gone.has(path)).sort(),
    modified: [...changed].filter((path) => !gone.has(path)).sort(),
  };
}

/** Converts the lists to the stored form. A listed file counts as modified, because nothing more is known about it. */
export const asFileLists = ({ read, modified }: ListedFiles): FileLists => ({ read, created: [], modified, deleted: [] });

/** Reads the state of a session; undefined if nothing is stored or it cannot be read. */
export function readCompactionState(session: string, folder?: string): CompactionState | undefined {
  const { memory } = readMemory(session, folder);
  const lastSummary = memory?.summary ?? memory?.told?.summary;
  if (!memory || lastSummary === undefined) return undefined;
  const { read, modified } = listedFiles(memory.continuation.files);
  return { lastSummary, readFiles: read, modifiedFiles: modified };
}

/** Stores the state of a session. Files that are already known stay. */
export function writeCompactionState(session: string, state: CompactionState, folder?: string): void {
  const { lastSummary, readFiles, modifiedFiles } = state;
  const told = { summary: lastSummary };
  const next = (before?: Memory) => {
    const { continuation } = before ?? emptyExtraction(session);
    const files = mergeFiles(continuation.files, asFileLists({ read: readFiles, modified: modifiedFiles }));
    const fresh = toMemory(session, 0, { continuation: { ...continuation, files }, statements: [] });
    const stored = before ? { ...before, continuation: { ...continuation, files }, summary: lastSummary } : fresh;
    return { ...stored, told, given: true as const };
  };
  changeMemory(session, next, folder);
}

/** For a host that continues in a new session: copies the memory of the old session to the new one. */
export function carryCompactionState(from: string, to: string, folder?: string): boolean {
  const { memory } = readMemory(from, folder);
  if (!memory) return false;
  const { told, offered: _, ...rest } = withSources(memory, (source) => `${from}/${source}`);
  const carried: Memory = { ...rest, session: to, given: true, ...(told && { told: { summary: told.summary } }) };
  // Existing memory of the new session is not overwritten.
  return changeMemory(to, (before) => (before ? undefined : carried), folder) !== undefined;
}

/** Renames sources, because messages of both sessions may have the same ids. Files and pins keep theirs. */
function withSources({ continuation, statements, judged, ...rest }: Memory, rename: (source: string) => string): Memory {
  const renamed = <T extends { readonly source: string }>(one: T): T => ({ ...one, source: rename(one.source) });
  const { items, commands, errors, todos, commits } = continuation;
  const item = (one: Item): Item =>
    one.by === "file" || one.evidence.rule === PINS
      ? one
      : { ...one, evidence: renamed(one.evidence), also: one.also.map(renamed) };
  const called = { commands: commands.map(renamed), errors: errors.map(renamed), todos: todos.map(renamed) };
  const facts = { items: items.map(item), ...called, ...(commits && { commits: commits.map(renamed) }) };
  const said = statements.map((one) => (one.by === "file" ? one : renamed(one)));
  const verdict = ({ witness, ...fact }: JudgedFact): JudgedFact => {
    return { ...fact, sources: fact.sources.map(rename), ...(witness !== undefined && { witness: rename(witness) }) };
  };
  const verdicts = judged && { facts: judged.facts.map(verdict), added: judged.added.map(item) };
  return { ...rest, continuation: { ...continuation, ...facts }, statements: said, ...(verdicts && { judged: verdicts }) };
}

export class NotStoredError extends Error {
  override readonly name = "NotStoredError";
}

/** Stores a round, or throws a NotStoredError. Without a change it only checks whether it could be stored. */
export async function storeRound(
  session: string,
  folder?: string,
  change: (before?: Memory) => Memory | undefined = () => undefined,
): Promise<Memory | undefined> {
  try {
    return await whenFree(() => changeMemory(session, change, folder));
  } catch (error) {
    throw new NotStoredError((error as Error).message);
  }
}
