// Reads new and changed sessions into the store, with a progress line. Loads the whole engine.
import type { IndexScope, ListedSession } from "../../recall/listed.js";
import type { Store } from "../../recall/store.js";
import { updateIndex } from "../../recall/update.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { OFF, requireFolder, rulesFor } from "../input/project.js";
import { CommandError, createProgress } from "../output/terminal.js";

/** Milliseconds that a command waits for the index. The rest is read next time. */
const MILLISECONDS = 30_000;

/** @param note gets a message if sessions are left */
export async function bringUpToDate(
  store: Store,
  listed: readonly ListedSession[],
  scope: IndexScope & { readonly project: string },
  note: (text: string) => void,
): Promise<void> {
  const until = performance.now() + MILLISECONDS;
  const progress = createProgress();
  const left = await updateIndex(store, {
    listed,
    scope: { ...scope, project: requireFolder(scope.project) },
    rules: () => rulesFor(scope.project).rules,
    late: () => performance.now() > until,
    progress: (done, total) => progress.step(`indexing session ${done} of ${total}`),
  });
  progress.end();
  if (left > 0) note(`note: ${left} older sessions are not in the index yet; the next query reads on\n`);
}

/** A project that is switched off is not read or searched. */
export function enabledRules(project: string): LoadedRules {
  const loaded = rulesFor(project);
  if (!loaded.enabled) throw new CommandError(OFF);
  return loaded;
}
