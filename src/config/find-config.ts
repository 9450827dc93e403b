// Where a project's configuration is: .compactionrc and its variants, from a folder up to the repository's root. Nothing is read.
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { projectRoot } from "../files/folders.js";

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
