// Which project a folder belongs to.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder above that is a repository, else the folder itself. */
export function projectRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, ".git"))) return place;
    if (dirname(place) === place) return folder;
  }
}
