// What the commands of recall share: a search in a store that is up to date.
import { projectHome } from "../../files/folders.js";
import { differences } from "../../recall/listed.js";
import { type Found, StoreError, type Wanted } from "../../recall/store.js";
import { warn } from "../output/terminal.js";
import { listSessions, withStore } from "./open-store.js";

/**
 * Searches the sessions of a project. Undefined if the user does not agree.
 * @param yes the user agrees; undefined does not ask
 * @param note is told what is not searched yet
 */
export async function searchProject(
  given: string | undefined,
  yes: boolean | undefined,
  wanted: Omit<Wanted, "project">,
  note: (text: string) => void = warn,
): Promise<readonly Found[] | undefined> {
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
    await bringUpToDate(store, listed, scope, note).catch((error) => {
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
  return own === undefined ? "" : ` in ${own} ${own === 1 ? "session" : "sessions"} of this project`;
}
