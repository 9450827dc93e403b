// What the commands of recall share: the user's consent, and a search in an index that is up to date.
import { findConfig } from "../../config/find-config.js";
import { homeFolder, projectHome } from "../../files/folders.js";
import { hasConsent, storeConsent } from "../../recall/consent.js";
import { differences } from "../../recall/differences.js";
import { type Found, indexFile, search, type Wanted } from "../../recall/index-file.js";
import { NO_FOLDER } from "../../state/state.js";
import { findFiles } from "../first/agents-here.js";
import { OTHER_FOLDER } from "../input/arguments.js";
import { ask } from "../output/ask.js";
import { CommandError, warn } from "../output/terminal.js";

/** Searches the sessions of a project. Undefined if the user does not agree. @param note is told what is not searched yet */
export async function searchProject(
  given: string | undefined,
  yes: boolean,
  wanted: Omit<Wanted, "project">,
  note: (text: string) => void = warn,
): Promise<readonly Found[] | undefined> {
  const folder = given ?? ".";
  const file = indexFile();
  if (file === undefined) throw new CommandError(NO_FOLDER, OTHER_FOLDER);
  // Reading a configuration loads the whole engine.
  if (findConfig(folder).length > 0 || process.env.COMPACTION_RULES !== undefined)
    (await import("./bring-up-to-date.js")).enabledRules(folder);
  if (!(await agreed(yes))) return undefined;
  const project = projectHome(folder);
  const files = findFiles(homeFolder() ?? "", process.env);
  const isCurrent = (known: Parameters<typeof differences>[0]) => {
    const { gone, changed } = differences(known, files, folder);
    return gone.length + changed.length === 0;
  };
  const found = await search(file, { ...wanted, project }, isCurrent);
  if (found) return found;
  // Only now, because it loads the whole engine.
  const { bringUpToDate } = await import("./bring-up-to-date.js");
  await bringUpToDate(file, files, folder, note);
  return search(file, { ...wanted, project });
}

/** Asks once on a terminal, and remembers a yes. */
async function agreed(yes: boolean): Promise<boolean> {
  if (hasConsent()) return true;
  if (!yes) {
    const question =
      "It keeps an index of this project's sessions in your state folder, with secrets masked. Only you can read it.";
    const answer = await ask(`${question}\nSwitch it on? [y/N] `);
    if (answer === undefined)
      throw new CommandError(
        `recall is off. ${question}`,
        "--yes switches it on; npx compaction-rules state clear removes it again",
      );
    if (!/^\s*y/i.test(answer)) return false;
  }
  storeConsent();
  return true;
}
