// Brings a store up to date with the session files: new and changed ones are read, and those that are gone are forgotten. Loads the
// whole engine.
import { statSync } from "node:fs";
import { projectHome } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { SESSION_BYTES } from "../../limits.js";
import { differences, type IndexScope, type ListedSession } from "../../recall/listed.js";
import { toPassages } from "../../recall/passages.js";
import type { Store } from "../../recall/store.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { readSession, SessionError } from "../../source/session/read-session.js";
import { requireFolder, rulesFor, SWITCHED_OFF } from "../input/project.js";
import { CommandError, createProgress } from "../output/terminal.js";

/** Milliseconds that a command waits for the index. The rest is read next time. */
const MILLISECONDS = 30_000;

/** @param listed the sessions of all agents, newest first @param note gets a message if sessions are left */
export async function bringUpToDate(
  store: Store,
  listed: readonly ListedSession[],
  scope: IndexScope & { readonly project: string },
  note: (text: string) => void,
  milliseconds = MILLISECONDS,
): Promise<void> {
  const until = performance.now() + milliseconds;
  requireFolder(scope.project);
  const { gone, changed } = differences(await store.listIndexed(), listed, scope);
  if (gone.length > 0) await store.forgetFiles(gone);
  if (changed.length === 0) return;
  const { rules } = rulesFor(scope.project);
  await store.storePlain([...rules.fillers, ...rules.light]);
  const progress = createProgress();
  let done = 0;
  for (const one of changed) {
    if (performance.now() > until) break;
    progress.step(`indexing session ${++done} of ${changed.length}`);
    await indexOne(store, one, rules);
  }
  progress.end();
  const left = changed.length - done;
  if (left > 0) note(`note: ${left} older sessions are not in the index yet; the next query reads on\n`);
}

async function indexOne(store: Store, { path, row }: ListedSession, rules: RuleSet): Promise<void> {
  const stored = row?.read();
  const info = stored ? undefined : statSync(path);
  const file = { path, size: stored?.length ?? info?.size ?? 0, time: row?.time ?? info?.mtimeMs ?? 0 };
  try {
    const { session } = readSession(stored ?? readRegular(path, SESSION_BYTES), path);
    const project = session.folder === undefined ? "" : projectHome(session.folder);
    await store.storeSession({ ...file, session: session.id, project }, toPassages(session, rules));
  } catch (error) {
    // A file that is no session is remembered, so that it is not read again.
    if (!(error instanceof SessionError)) throw error;
    await store.storeSession({ ...file, session: "", project: "" }, []);
  }
}

/** A project that is switched off is not read or searched. */
export function enabledRules(project: string): LoadedRules {
  const loaded = rulesFor(project);
  if (!loaded.enabled) throw new CommandError(SWITCHED_OFF);
  return loaded;
}
