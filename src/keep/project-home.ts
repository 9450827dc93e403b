// Where what is kept of a project belongs: a second working tree of a repository counts as the first.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PACK_BYTES } from "../limits.js";
import { projectRoot } from "../project-root.js";
import { readRegular } from "../regular-file.js";

export function projectHome(given: string): string {
  const folder = realPath(given);
  const root = projectRoot(folder);
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

/**
 * Where `.git` is a file of another working tree, it names a folder inside the repository of the first. That folder must
 * name this very file, as git demands: otherwise anybody's files could make themselves a part of any repository.
 */
function firstTree(root: string): string | undefined {
  try {
    const file = join(root, ".git");
    const [, named] = /^gitdir: (.+)/.exec(readLine(file)) ?? [];
    if (named === undefined) return undefined;
    const tree = realpathSync(resolve(root, named));
    const trees = dirname(tree);
    const repository = dirname(trees);
    if (basename(trees) !== "worktrees" || basename(repository) !== ".git") return undefined;
    const back = realpathSync(resolve(tree, readLine(join(tree, "gitdir"))));
    return back === file ? dirname(repository) : undefined;
  } catch {
    return undefined; // A folder, as it is mostly.
  }
}

const readLine = (file: string) => readRegular(file, PACK_BYTES).toString("utf8").trim();
