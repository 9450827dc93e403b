// Which project a folder belongs to.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** The nearest folder above that is a repository, else the folder itself. */
export function projectRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, ".git"))) return place;
    if (dirname(place) === place) return folder;
  }
}

/** The same for what is kept of a project: a second working tree of a repository counts as the first. */
export function homeOfProject(given: string): string {
  const folder = resolve(given);
  const root = projectRoot(folder);
  // Who keeps all his settings in a repository has not all his projects in it.
  if (root === home()) return folder;
  return firstTree(root) ?? root;
}

function home(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Where `.git` is a file of another working tree, it names a folder inside the repository of the first. */
function firstTree(root: string): string | undefined {
  try {
    const [, named] = /^gitdir: (.+)/.exec(readFileSync(join(root, ".git"), "utf8")) ?? [];
    if (named === undefined) return undefined;
    const repository = dirname(dirname(resolve(root, named)));
    return basename(repository) === ".git" && basename(dirname(resolve(root, named))) === "worktrees"
      ? dirname(repository)
      : undefined;
  } catch {
    return undefined; // A folder, as it is mostly.
  }
}
