// Which project a folder belongs to.
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";

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
  try {
    return !relative(realpathSync(place), realpathSync(homedir())).startsWith("..");
  } catch {
    return false; // A user without a home folder.
  }
}
