// Turns what tools did to files, in order, into the final lists of read, created, modified and deleted files.
import { posix, win32 } from "node:path";
import { PATH_FOLDERS } from "../../limits.js";
import type { FileLists } from "../../model.js";
import type { FileEffect } from "./patch.js";

type Effect = Exclude<keyof FileLists, "aside">;
type Effects = Map<string, Effect>;

/** The effect on each path, with an index of the paths below each folder: deleting a folder must not scan thousands of paths. */
class Tree extends Map<string, Effect> {
  readonly #below = new Map<string, Set<string>>();

  override set(path: string, effect: Effect): this {
    if (!this.has(path)) for (const folder of foldersOf(path)) this.#below.set(folder, this.below(folder).add(path));
    return super.set(path, effect);
  }

  override delete(path: string): boolean {
    for (const folder of foldersOf(path)) this.#below.get(folder)?.delete(path);
    return super.delete(path);
  }

  below(folder: string): Set<string> {
    return this.#below.get(folder) ?? new Set();
  }
}

function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0 && folders.length < PATH_FOLDERS; end = path.lastIndexOf("/", end - 1))
    folders.push(path.slice(0, end));
  return folders;
}

export function toFileLists(
  found: readonly FileEffect[],
  folder: string | undefined,
  scratch: readonly string[],
  nameOf: (path: string) => string,
): { readonly files: FileLists; readonly isScratch: (path: string) => boolean } {
  const effects = new Tree();
  // Paths changed since the last commit, their effects at that commit, and stashed changes.
  const loose = new Set<string>();
  const kept = new Map<string, Effect | undefined>();
  const stashes: Effects[] = [];
  // Paths that were created and deleted again, or renamed.
  const passing = new Set<string>();
  // Relative paths in a folder that was just moved, until its new name is known.
  let moved: readonly string[] = [];
  /** Deletes the changed paths below a folder that is deleted or moved. Returns them relative to the folder. */
  const takeAlong = (folder: string): readonly string[] => {
    const inside = [...effects.below(folder)].filter((one) => !GONE.has(effects.get(one)));
    for (const one of inside) if (record(effects, passing, one, "deleted")) loose.add(one);
    return inside.map((one) => one.slice(folder.length));
  };
  for (const { path, effect } of found) {
    const named = nameOf(path);
    // What goes is the same folder with and without its last slash; for git, the slash tells a folder from a branch.
    const normal = effect === "deleted" || effect === "moved" || effect === "made" ? named.replace(/(?<=.)\/$/, "") : named;
    if (effect === "keeps") {
      for (const one of loose) kept.set(one, effects.get(one));
      loose.clear();
    } else if (effect === "stashes") stashes.push(takeBack({ effects, loose, kept }, ""));
    else if (effect === "made") areThere(effects, [normal, ...foldersOf(normal)]);
    else if (effect === "reverts") {
      takeBack({ effects, loose, kept }, normal);
      areThere(effects, foldersOf(normal));
    } else if (effect === "restores") {
      for (const [one, was] of stashes.pop() ?? []) {
        effects.set(one, was);
        loose.add(one);
      }
    } else if (effect === "moved") {
      moved = normal === "" ? [] : takeAlong(normal);
      // The new path is listed instead.
      for (const one of moved) passing.add(normal + one);
      if (record(effects, passing, normal, "deleted")) loose.add(normal);
      passing.add(normal);
    } else if (effect === "created" && moved.length > 0) {
      for (const one of moved) if (record(effects, passing, normal + one, effect)) loose.add(normal + one);
      moved = [];
    } else {
      if (effect === "deleted" && normal !== "") takeAlong(normal);
      if (record(effects, passing, normal, effect)) loose.add(normal);
    }
  }
  const changed = [...effects].flatMap(([path, effect]) => (effect === "read" ? [] : [path]));
  const isScratch = scratchOf(changed, scratch, folder);
  const aside = [...effects].flatMap(([path, effect]) =>
    effect !== "read" && (passing.has(path) || isScratch(path)) ? [path] : [],
  );
  return { files: { ...toLists(effects), ...(aside.length > 0 && { aside: aside.sort() }) }, isScratch };
}

/** Paths with these effects are not deleted with their folder. */
const GONE: ReadonlySet<Effect | undefined> = new Set(["read", "deleted"]);

interface Changes {
  readonly effects: Tree;
  readonly loose: Set<string>;
  readonly kept: ReadonlyMap<string, Effect | undefined>;
}

/** Undoes the uncommitted changes of a path ("" for all) and returns them. New files in a folder stay: they are untracked. */
function takeBack({ effects, loose, kept }: Changes, path: string): Effects {
  const taken: Effects = new Map();
  // A bare word may be a branch, not a folder.
  const isFolder = path.includes("/") && !loose.has(path);
  const inside = isFolder ? [...effects.below(path.replace(/\/+$/, ""))].filter((one) => loose.has(one)) : [];
  for (const one of path === "" ? [...loose] : loose.has(path) ? [path] : inside) {
    const effect = effects.get(one);
    const isWithin = path === "" || one !== path;
    const isMeant = one === path || (effect !== "created" && isWithin);
    if (!effect || !isMeant) continue;
    taken.set(one, effect);
    const before = kept.get(one);
    if (before) effects.set(one, before);
    else effects.delete(one);
    loose.delete(one);
  }
  return taken;
}

/** A folder that is made, or in which something is made, taken back or read, is not deleted any more. */
function areThere(effects: Effects, folders: readonly string[]): void {
  for (const folder of folders) if (effects.get(folder) === "deleted") effects.delete(folder);
}

/**
 * Each path is in one list: the last effect counts, but reading changes nothing, and a new file stays new. Returns whether
 * the file was changed.
 */
function record(effects: Effects, passing: Set<string>, path: string, effect: Effect): boolean {
  if (path === "") return false;
  const before = effects.get(path);
  if (effect === "read") {
    if (before === undefined) effects.set(path, effect);
    if (before !== "deleted") areThere(effects, foldersOf(path));
    return false;
  }
  if (effect !== "deleted") areThere(effects, foldersOf(path));
  if (effect === "modified" && before === "created") return true;
  const isNew = before === undefined || before === "created" || (before === "deleted" && passing.has(path));
  effects.set(path, effect === "created" && !isNew ? "modified" : effect);
  if (effect === "deleted" && before === "created") passing.add(path);
  else passing.delete(path);
  return true;
}

/** Says which paths are caches and temporary files: not project work, unless the project itself is there. */
function scratchOf(changed: readonly string[], scratch: readonly string[], folder = ""): (path: string) => boolean {
  const names = new Set(scratch.filter((one) => !one.startsWith("/")));
  const roots = scratch.filter((one) => one.startsWith("/"));
  const lies = (path: string) => roots.some((root) => path.startsWith(`${root}/`));
  const isAtHome = lies(folder) || (changed.length > 0 && changed.every(lies));
  return (path) => path.split(/[/\\]/).some((part) => names.has(part)) || (!isAtHome && lies(path));
}

function toLists(effects: ReadonlyMap<string, Effect>): FileLists {
  const of = (wanted: Effect) =>
    [...effects]
      .filter(([, effect]) => effect === wanted)
      .map(([path]) => path)
      .sort();
  return { read: of("read"), created: of("created"), modified: of("modified"), deleted: of("deleted") };
}

/** One form for ./a, a, and its absolute path in the project's folder, if that is known. */
export function normalPath(path: string, folder?: string): string {
  const given = path.trim();
  if (given === "") return "";
  const { normalize, sep } = given.includes("/") || !given.includes("\\") ? posix : win32;
  const plain = normalize(given);
  const root = folder === undefined ? "" : normalize(folder).replace(/[/\\]$/, "");
  return root.length > 1 && plain.startsWith(root + sep) ? plain.slice(root.length + 1) : plain.replace(/^\.[/\\]/, "");
}

/** Guesses the project's folder: the one that makes the most relative paths equal to an absolute path. */
export function inferFolder(paths: Iterable<string>): string | undefined {
  const all = [...new Set([...paths].map((path) => normalPath(path)))];
  const byName = new Map<string, string[]>();
  for (const path of all.filter((one) => one.startsWith("/"))) {
    const name = posix.basename(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const votes = new Map<string, number>();
  for (const path of all.filter((one) => !one.startsWith("/") && !one.startsWith(".."))) {
    for (const absolute of byName.get(posix.basename(path)) ?? []) {
      if (absolute.endsWith(`/${path}`))
        votes.set(absolute.slice(0, -path.length), (votes.get(absolute.slice(0, -path.length)) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort(([a, one], [b, other]) => other - one || a.length - b.length || (a < b ? -1 : 1));
  return best?.[0];
}
