// Where what is kept of a project belongs: a second working tree of a repository counts as the first.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { homeFolder } from "../home-folder.js";
import { PACK_BYTES } from "../limits.js";
import { projectRoot } from "../project-root.js";
import { readRegular } from "../regular-file.js";

export function projectHome(given: string): string {
  const folder = realPath(given);
  const root = projectRoot(folder);
  const home = homeFolder();
  // Who keeps all his settings in a repository has not all his projects in it.
  if (home !== undefined && root === realPath(home)) return folder;
  return firstTree(root) ?? root;
}

/** A link leads to the same project. */
function realPath(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return resolve(given);
  }
}

/** Where `.git` is a file of another working tree, it names a folder inside the repository of the first. */
function firstTree(root: string): string | undefined {
  try {
    const [, named] = /^gitdir: (.+)/.exec(readRegular(join(root, ".git"), PACK_BYTES).toString("utf8")) ?? [];
    if (named === undefined) return undefined;
    const trees = dirname(resolve(root, named));
    const repository = dirname(trees);
    return basename(trees) === "worktrees" && basename(repository) === ".git" ? dirname(repository) : undefined;
  } catch {
    return undefined; // A folder, as it is mostly.
  }
}
