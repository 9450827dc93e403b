// Brings a store up to date with the session files: new and changed ones are read, and those that are gone are forgotten.
import { statSync } from "node:fs";
import { projectHome } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { SESSION_BYTES } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readSession, SessionError } from "../source/session/read-session.js";
import { differences, type IndexScope, type ListedSession } from "./listed.js";
import { toPassages } from "./passages.js";
import type { Store } from "./store.js";

export interface UpdateOptions {
  /** The sessions of all agents, newest first. */
  readonly listed: readonly ListedSession[];
  readonly scope: IndexScope;
  /** Loaded only if there is something to read. */
  readonly rules: () => RuleSet;
  readonly late: () => boolean;
  readonly progress: (done: number, total: number) => void;
}

/** Returns how many files could not be read in time. */
export async function updateIndex(store: Store, { listed, scope, rules, late, progress }: UpdateOptions): Promise<number> {
  const { gone, changed } = differences(await store.listIndexed(), listed, scope);
  if (gone.length > 0) await store.forgetFiles(gone);
  if (changed.length === 0) return 0;
  const used = rules();
  await store.storePlain([...used.fillers, ...used.light]);
  let done = 0;
  for (const one of changed) {
    if (late()) break;
    progress(++done, changed.length);
    await indexOne(store, one, used);
  }
  return changed.length - done;
}

async function indexOne(store: Store, { path, row }: ListedSession, rules: RuleSet): Promise<void> {
  const stored = row?.read();
  const { size, time } = row && stored ? { size: stored.length, time: row.time } : sizeOf(path);
  try {
    const { session } = readSession(stored ?? readRegular(path, SESSION_BYTES), path);
    const project = session.folder === undefined ? "" : projectHome(session.folder);
    await store.storeSession({ path, size, time, session: session.id, project }, toPassages(session, rules));
  } catch (error) {
    // A file that is no session is remembered, so that it is not read again.
    if (!(error instanceof SessionError)) throw error;
    await store.storeSession({ path, size, time, session: "", project: "" }, []);
  }
}

function sizeOf(path: string): { readonly size: number; readonly time: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, time: mtimeMs };
}
