// Finds the folders of the project, the user and the process, and creates folders.
import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { PACK_BYTES } from "../limits.js";
import { readRegular } from "./regular-file.js";

/** The nearest repository at or above the folder, or the folder itself. A repository that contains the home folder does not
 * count: people keep their settings in one, not their projects. */
export function projectRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, ".git"))) return place === folder || !holdsHome(place) ? place : folder;
    if (dirname(place) === place) return folder;
  }
}

/** A path in the folder, or in one above it up to the repository's root. Undefined if none has it. */
export function findUpwards(folder: string, path: string): string | undefined {
  const root = projectRoot(folder);
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, path))) return join(above, path);
    if (above === root || dirname(above) === above) return undefined;
  }
}

/** False for a user without a home folder. */
const holdsHome = (place: string): boolean =>
  orUndefined(() => relative(realpathSync(place), realpathSync(homedir())))?.startsWith("..") === false;

/** The user's home folder; undefined if there is none, for example in a container. */
export const homeFolder = (): string | undefined => orUndefined(homedir) || undefined;

/** The working folder; undefined if it was removed. */
export const workingFolder = (): string | undefined => orUndefined(() => process.cwd());

/** The result, or undefined if the file system refuses. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Creates a folder and its parents one by one: Node's recursive call never returns where nothing can be created (/proc). */
export function makeFolder(path: string, mode: number): void {
  if (makeOne(path, mode)) return;
  makeFolder(dirname(path), mode);
  // Another process may have created it. If it still fails, it will never work.
  if (!makeOne(path, mode)) throw new Error(`${path} cannot be made`);
}

/** Creates one folder, or finds it. False if its parent is missing. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && dirname(path) !== path) return false;
    if (!isFolder(path)) throw error;
  }
  return true;
}

export const isFolder = (path: string): boolean => orUndefined(() => statSync(path).isDirectory()) === true;

/** Is the file inside the folder? Symbolic links are followed. */
export function inside(file: string, folder: string): boolean {
  const target = realPath(file);
  const base = realPath(folder);
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

/** Inside the project, and not where programs look for their own files: .git, .github, node_modules. */
export function isPlaceForNotes(folder: string, project: string): boolean {
  const steps = relative(realPath(project), realPath(folder)).split(sep);
  return inside(folder, project) && !steps.some((step) => /^\.|^node_modules$/i.test(step));
}

/** Other files may be private: settings, keys. Some projects link AGENTS.md to a file such as .cursorrules. */
export const isNotesFile = (path: string): boolean => /\.(?:md|mdx|markdown|txt|json)$|rules$/i.test(path);

/** The real path, even if the path does not exist. */
export function realPath(path: string): string {
  const above = dirname(path);
  return orUndefined(() => realpathSync.native(path)) ?? (above === path ? path : join(realPath(above), relative(above, path)));
}

/** Changes when the file changes. Empty if it is not there. */
export function fileStamp(path: string): string {
  const info = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
  return info ? `${info.mtimeMs} ${info.size} ${info.ino}` : "";
}

/** Does the file system take `A` and `a` for the same name? */
export function foldsCase(folder: string): boolean {
  const other = folder.replace(/[a-z](?=[^a-z]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const stamp = fileStamp(other);
  return other !== folder && stamp !== "" && stamp === fileStamp(folder);
}

/** The folder that identifies a project. All working trees of a repository count as the first one. */
export function projectHome(given: string): string {
  const root = projectRoot(realPath(resolve(given)));
  // Usually `.git` is a folder and cannot be read.
  return orUndefined(() => firstTree(root)) ?? root;
}

/** In another working tree, `.git` is a file that names a folder inside the first tree's repository. That folder must name this
 * same file, as git requires: otherwise any files could claim to belong to any repository. */
function firstTree(root: string): string | undefined {
  const file = join(root, ".git");
  const [, named] = /^gitdir: (.+)/.exec(readLine(file)) ?? [];
  if (named === undefined) return undefined;
  const tree = realpathSync(resolve(root, named));
  const trees = dirname(tree);
  const repository = dirname(trees);
  if (basename(trees) !== "worktrees" || basename(repository) !== ".git") return undefined;
  const back = realpathSync(resolve(tree, readLine(join(tree, "gitdir"))));
  return back === file ? dirname(repository) : undefined;
}

const readLine = (file: string) => readRegular(file, PACK_BYTES).toString("utf8").trim();
