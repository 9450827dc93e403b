// Brings a store up to date with the session files: new and changed ones are read, and those that are gone are forgotten. Loads the
// whole engine.
import { statSync } from "node:fs";
import { projectHome } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { SESSION_BYTES } from "../../limits.js";
import { differences, type IndexScope, isOfProject, type ListedSession } from "../../recall/listed.js";
import { toPassages } from "../../recall/passages.js";
import type { SearchHit, Store } from "../../recall/store.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { masker } from "../../rules/redact/redact.js";
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
  const home = projectHome(scope.project);
  const isOurs = isOfProject(home);
  const progress = createProgress();
  let done = 0;
  for (const one of changed) {
    if (performance.now() > until) break;
    progress.step(`indexing session ${++done} of ${changed.length}`);
    await indexOne(store, one, isOurs(one) ? home : undefined, rules);
  }
  progress.end();
  const left = changed.length - done;
  if (left > 0) note(`note: ${left} older sessions are not in the index yet; the next query reads on\n`);
}

async function indexOne(store: Store, { path, row }: ListedSession, home: string | undefined, rules: RuleSet): Promise<void> {
  const stored = row?.read();
  const info = stored ? undefined : statSync(path);
  const file = { path, size: stored?.length ?? info?.size ?? 0, time: row?.time ?? info?.mtimeMs ?? 0 };
  try {
    const { session } = readSession(stored ?? readRegular(path, SESSION_BYTES), path);
    const project = home ?? (session.folder === undefined ? "" : projectHome(session.folder));
    await store.storeSession({ ...file, session: session.id, project }, toPassages(session, rules));
  } catch (error) {
    // A file that is no session is remembered, so that it is not read again.
    if (!(error instanceof SessionError)) throw error;
    await store.storeSession({ ...file, session: "", project: "" }, []);
  }
}

/** Others write into the store of a team, perhaps with other masks or none: what comes from it is masked as what is read here. */
export function maskHits(found: readonly SearchHit[], project: string): readonly SearchHit[] {
  const mask = masker(enabledRules(project).rules.redactions);
  const masked = (one: SearchHit) =>
    Object.entries(one).map(([name, value]) => [name, typeof value === "string" ? mask(value) : value]);
  return found.map((one) => Object.fromEntries(masked(one)));
}

/** A project that is switched off is not read or searched. */
export function enabledRules(project: string): LoadedRules {
  const loaded = rulesFor(project);
  if (!loaded.enabled) throw new CommandError(SWITCHED_OFF);
  return loaded;
}
