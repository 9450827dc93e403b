// Reads new and changed sessions into the store, with a progress line. Loads the whole engine.
import type { RecallSettings } from "../../config/recall-settings.js";
import type { Store } from "../../recall/store.js";
import { updateIndex } from "../../recall/update.js";
import { OFF, requireFolder, rulesFor } from "../input/project.js";
import { CommandError, createProgress, warn } from "../output/terminal.js";

/** Milliseconds that a command waits for the index. The rest is read next time. */
const MILLISECONDS = 30_000;

export async function bringUpToDate(store: Store, files: readonly { readonly path: string }[], project: string): Promise<void> {
  const until = Date.now() + MILLISECONDS;
  const progress = createProgress();
  const left = await updateIndex(store, {
    files,
    project: requireFolder(project),
    rules: () => rulesFor(project).rules,
    late: () => Date.now() > until,
    progress: (done, total) => progress.step(`indexing session ${done} of ${total}`),
  });
  progress.end();
  if (left > 0) warn(`note: ${left} older sessions are not in the index yet; the next query reads on\n`);
}

/** Nothing is read and nothing is told of a project that is switched off. */
export function settingsOf(project: string): RecallSettings {
  const { enabled, recall } = rulesFor(project);
  if (!enabled) throw new CommandError(OFF);
  return recall;
}
