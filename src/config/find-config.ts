// Where a project's configuration is: .compactionrc and its variants, from a folder up to the repository's root. Also where the
// user's own is. Nothing is read.
import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { homeFolder, projectRoot } from "../files/folders.js";

export const CONFIG_PLACES = [".compactionrc", ".compactionrc.yaml", ".compactionrc.yml", ".compactionrc.json"];

/** The configurations of the nearest folder that has one. Only the first of them is used. */
export function findConfig(folder: string): readonly string[] {
  const start = resolve(folder);
  const root = projectRoot(start);
  for (let place = start; ; place = dirname(place)) {
    const found = CONFIG_PLACES.map((name) => join(place, name)).filter(isThere);
    if (found.length > 0 || place === root || dirname(place) === place) return found;
  }
}

/** The path of the user's file, below the folder for user configurations. */
const USER_PLACE = ["compaction-rules", "config.yaml"] as const;

/** As documents name it. */
export const USER_FILE = ["~/.config", ...USER_PLACE].join("/");

/** The user's own settings, if there are any. */
export function findUserConfig(): string | undefined {
  const { XDG_CONFIG_HOME = "" } = process.env;
  const home = homeFolder();
  // A relative path would lead into the project where the program was started.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home && join(home, ".config");
  const file = base && join(base, ...USER_PLACE);
  return file && isThere(file) ? file : undefined;
}

/** Does the path exist, even as a broken link? */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A part of the path is not a folder, or cannot be entered.
    if (["ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
