// Which project a folder belongs to.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { homeFolder } from "./home-folder.js";

/**
 * The nearest folder above that is a repository, else the folder itself. Who keeps all his settings in a repository has not all
 * his projects in it: one that holds the home folder does not count.
 */
export function projectRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, ".git"))) return place === folder || !holdsHome(place) ? place : folder;
    if (dirname(place) === place) return folder;
  }
}

function holdsHome(place: string): boolean {
  const home = homeFolder();
  try {
    return home !== undefined && !relative(realpathSync(place), realpathSync(home)).startsWith("..");
  } catch {
    return false;
  }
}
