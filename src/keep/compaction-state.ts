// What one compaction leaves to the next, for hosts that keep sessions of their own. It is stored beside what is
// remembered of a session, never in the host's file; where there is none, the next compaction is the first.
import { PINS } from "../extract/by-hand.js";
import type { FileLists, Item } from "../model.js";
import { emptyExtraction } from "./empty.js";
import { changeMemory, type Memory, mergeFiles, readMemory, toMemory } from "./memory.js";

export interface CompactionState {
  /** With the lists of files behind it. */
  readonly lastSummary: string;
  /** Only read. */
  readonly readFiles: readonly string[];
  /** Created or modified, and still there. */
  readonly modifiedFiles: readonly string[];
}

export interface ListedFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
}

export function listedFiles({ read, created, modified, deleted, aside = [] }: FileLists): ListedFiles {
  const changed = new Set([...created, ...modified]);
  const gone = new Set([...deleted, ...aside]);
  return {
    read: [...new Set(read)].filter((path) => !changed.has(path) && !gone.has(path)).sort(),
    modified: [...changed].filter((path) => !gone.has(path)).sort(),
  };
}

/** The lists as they are remembered: a path that is only listed was modified somehow. */
export const asFileLists = ({ read, modified }: ListedFiles): FileLists => ({ read, created: [], modified, deleted: [] });

/** undefined when nothing is stored, or it cannot be read. */
export function readCompactionState(session: string, folder?: string): CompactionState | undefined {
  const { memory } = readMemory(session, folder);
  const lastSummary = memory?.summary ?? memory?.told?.summary;
  if (!memory || lastSummary === undefined) return undefined;
  const { read, modified } = listedFiles(memory.continuation.files);
  return { lastSummary, readFiles: read, modifiedFiles: modified };
}

/** Stores a state under a session; files that are known of it already stay. */
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

/** For a host that goes on in a new session: all that is remembered of the old one is known of the new one, too. */
export function carryCompactionState(from: string, to: string, folder?: string): boolean {
  const { memory } = readMemory(from, folder);
  if (!memory) return false;
  const { told, ...rest } = withSources(memory, (source) => `${from}/${source}`);
  const carried: Memory = { ...rest, session: to, given: true, ...(told && { told: { summary: told.summary } }) };
  // What the new session has by itself is not overwritten.
  return changeMemory(to, (before) => (before ? undefined : carried), folder) !== undefined;
}

/** Messages of the new session may have the names of old ones; files and pins are the same as ever. */
function withSources({ continuation, statements, ...rest }: Memory, rename: (source: string) => string): Memory {
  const renamed = <T extends { readonly source: string }>(one: T): T => ({ ...one, source: rename(one.source) });
  const { items, commands, errors, todos } = continuation;
  const item = (one: Item): Item =>
    one.by === "file" || one.evidence.rule === PINS
      ? one
      : { ...one, evidence: renamed(one.evidence), also: one.also.map(renamed) };
  const facts = {
    items: items.map(item),
    commands: commands.map(renamed),
    errors: errors.map(renamed),
    todos: todos.map(renamed),
  };
  const said = statements.map((one) => (one.by === "file" ? one : renamed(one)));
  return { ...rest, continuation: { ...continuation, ...facts }, statements: said };
}

export class NotStoredError extends Error {
  override readonly name = "NotStoredError";
}

/** Stores a round, or says that it cannot; without a change it only finds out whether it could. */
export function storeRound(session: string, folder?: string, change: (before?: Memory) => Memory | undefined = () => undefined) {
  try {
    return changeMemory(session, change, folder);
  } catch (error) {
    throw new NotStoredError((error as Error).message);
  }
}
