// What the commands of recall share: a search in a store that is up to date. The store is the index of this machine, or the
// server that the user's settings name.

import { findConfig, findUserConfig } from "../../config/find-config.js";
import type { RecallSettings } from "../../config/search-config.js";
import { projectHome } from "../../files/folders.js";
import { indexFile, openIndex } from "../../recall/index-file.js";
import { differences } from "../../recall/listed.js";
import { isOn, rememberAgreement, thisMachine } from "../../recall/machine.js";
import { type Store, StoreError, storeName, type Wanted } from "../../recall/store.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { NO_FOLDER } from "../../state/state.js";
import { counted } from "../../text/forms.js";
import { listSessions } from "../first/agents-here.js";
import { inStateFolder, OTHER_FOLDER } from "../input/arguments.js";
import { ask, CommandError, warn } from "../output/terminal.js";

/** Asked before sessions are indexed: true agrees, false asks on a terminal, undefined neither. */
export type Agreement = boolean | undefined;

/** Searches the sessions of a project. Undefined if the user does not agree. @param note gets what is not searched yet */
export async function searchProject(
  given: string | undefined,
  yes: Agreement,
  wanted: Omit<Wanted, "project">,
  note = warn,
  milliseconds?: number,
) {
  const folder = given ?? ".";
  return withStore(folder, yes, async (store, since) => {
    const scope = { project: folder, since };
    const project = projectHome(folder);
    const listed = listSessions();
    const isCurrent = (known: Parameters<typeof differences>[0]) => {
      const { gone, changed } = differences(known, listed, scope);
      return gone.length + changed.length === 0;
    };
    const found = await store.search({ ...wanted, project }, isCurrent);
    if (found) return found;
    // Only now, because it loads the whole engine.
    const { bringUpToDate } = await import("./bring-up-to-date.js");
    await bringUpToDate(store, listed, scope, note, milliseconds).catch((error) => {
      if (!(error instanceof StoreError && error.isReadable)) throw error;
      note(`note: ${error.message}; only what it holds already is searched\n  → ${error.hint}\n`);
    });
    return store.search({ ...wanted, project });
  });
}

/** How much was searched in vain; empty if others add to the store. */
export async function searchedText(given: string | undefined): Promise<string> {
  const folder = given ?? ".";
  const known = await withStore(folder, undefined, async (store) => (store.isShared ? undefined : store.listIndexed()));
  const own = known?.filter(({ project }) => project === projectHome(folder)).length;
  return own === undefined ? "" : ` in ${counted(own, "session")} of this project`;
}

type StoreWork<T> = (store: Store, since: number) => Promise<T>;

/** Works with the store. Undefined if the user does not agree.
 * @param work gets the time, in milliseconds since 1970, before which unchanged sessions are not kept */
export async function withStore<T>(folder: string, yes: Agreement, work: StoreWork<T>): Promise<T | undefined> {
  const file = indexFile();
  if (file === undefined) throw new CommandError(NO_FOLDER, OTHER_FOLDER);
  const { on, store: url, keepDays } = await settingsFor(folder);
  if (on === false) throw new CommandError(OFF, "remove recall: off from .compactionrc or from your own settings");
  if (!isOn({ on, store: url }) && !(await agreed(yes))) return undefined;
  let store: Store | undefined;
  try {
    store = url === undefined ? openIndex(file) : await openServer(url, folder);
    return await work(store, keepDays === undefined ? 0 : Date.now() - keepDays * DAY);
  } catch (error) {
    throw error instanceof StoreError ? new CommandError(error.message, error.hint) : error;
  } finally {
    await store?.close();
  }
}

const DAY = 86_400_000;

const OFF = "recall is switched off";

async function openServer(url: string, folder: string): Promise<Store> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new StoreError(`${storeName(url)} is not the address of a PostgreSQL server`, "write postgres://USER@HOST/DATABASE");
  const { openPostgres } = await import("../../recall/postgres-store.js");
  return openPostgres(url, await inStateFolder(thisMachine), projectHome(folder));
}

async function settingsFor(folder: string): Promise<RecallSettings & Pick<LoadedRules, "keepDays">> {
  const { COMPACTION_RECALL_STORE: url, COMPACTION_RULES } = process.env;
  const given = url ? { store: url } : {};
  // Reading a configuration loads the whole engine.
  if (findConfig(folder).length === 0 && findUserConfig() === undefined && COMPACTION_RULES === undefined) return given;
  const { enabledRules } = await import("./bring-up-to-date.js");
  const { recall, keepDays } = enabledRules(folder);
  return { ...recall, ...given, keepDays };
}

const QUESTION =
  "To search, an index of this project's sessions is kept in your state folder, with secrets masked. Only you can read it.";

async function agreed(yes: Agreement): Promise<boolean> {
  if (yes === undefined) return false;
  if (!yes) {
    const answer = await ask(`${QUESTION}\nSwitch it on? [y/N] `);
    const hint = "--yes switches it on; npx compaction-rules state clear recall removes it again";
    if (answer === undefined) throw new CommandError(`recall is off. ${QUESTION}`, hint);
    if (!/^\s*y/i.test(answer)) return false;
  }
  await inStateFolder(rememberAgreement);
  return true;
}
