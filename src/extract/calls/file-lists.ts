// Turns what tools did to files, in order, into the final lists of read, created, modified and deleted files.
import { FOLDER_STEPS, PATH_FOLDERS } from "../../limits.js";
import type { FileLists } from "../../model.js";
import type { FileEffect } from "./effects.js";
import { createMovedNames, type MovedNames } from "./moved-names.js";

type Effect = Exclude<keyof FileLists, "aside">;
type Effects = Map<string, Effect>;

/** The effect on each path, with an index of the paths below each folder, those that are gone or only read apart from the others:
 * deleting or moving a folder must not scan thousands of paths. */
class Tree extends Map<string, Effect> {
  readonly #changed = new Map<string, Set<string>>();
  readonly #others = new Map<string, Set<string>>();

  override set(path: string, effect: Effect): this {
    const before = this.get(path);
    if (before !== effect) {
      if (before) this.delete(path);
      const index = this.#indexOf(effect);
      for (const folder of foldersOf(path)) {
        const paths = index.get(folder);
        if (paths) paths.add(path);
        else index.set(folder, new Set([path]));
      }
    }
    return super.set(path, effect);
  }

  override delete(path: string): boolean {
    const effect = this.get(path);
    if (effect) for (const folder of foldersOf(path)) this.#indexOf(effect).get(folder)?.delete(path);
    return super.delete(path);
  }

  #indexOf(effect: Effect) {
    return effect === "read" || effect === "deleted" ? this.#others : this.#changed;
  }

  /** The created and modified paths below a folder. */
  changedBelow(folder: string): readonly string[] {
    return [...(this.#changed.get(folder) ?? [])];
  }

  below(folder: string): readonly string[] {
    return [...this.changedBelow(folder), ...(this.#others.get(folder) ?? [])];
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
  // Files that came with a moved folder, and what was in the folders that were just moved, until their new names are known.
  const names = createMovedNames();
  let moved: (MovedNames | undefined)[] = [];
  const change = (path: string, effect: Effect) => {
    const wasMoved = names.isFile(path);
    if (wasMoved && effect !== "deleted") return;
    const isPassing = wasMoved && isNewAt(effects, passing, path);
    if (wasMoved) names.remove(path);
    if (record(effects, passing, path, effect)) loose.add(path);
    if (isPassing) passing.add(path);
  };
  let steps = FOLDER_STEPS;
  /** Forgets the paths if whole folders were deleted, moved or taken back too often: then nothing is said of them. */
  const isTooMuch = (paths: readonly string[]) => {
    steps -= paths.length;
    if (steps >= 0) return false;
    for (const one of paths) if (effects.delete(one)) loose.delete(one);
    return true;
  };
  const changes = { effects, loose, kept, isTooMuch };
  /** Deletes the changed paths below a folder that is deleted or moved. Returns those that were there before any move. */
  const takeAlong = (folder: string): readonly string[] => {
    const inside = effects.changedBelow(folder);
    if (isTooMuch(inside)) return [];
    for (const one of inside) change(one, "deleted");
    return inside;
  };
  for (const [index, { path, effect }] of found.entries()) {
    const named = nameOf(path);
    // What goes is the same folder with and without its last slash; for git, the slash tells a folder from a branch.
    const normal = effect === "deleted" || effect === "moved" || effect === "made" ? named.replace(/(?<=.)\/$/, "") : named;
    if (effect === "moved") {
      const inside = normal === "" ? [] : takeAlong(normal);
      const taken = normal === "" || names.isFile(normal) ? undefined : names.remove(normal);
      // The new path is listed instead.
      for (const one of inside) passing.add(one);
      moved.push(
        withNames(
          taken,
          inside.map((one) => one.slice(normal.length + 1)),
        ),
      );
      change(normal, "deleted");
      passing.add(normal);
      continue;
    }
    if (effect === "created" && moved.length > 0) {
      // Several folders that are moved at once are followed by as many new names.
      if (found[index - 1]?.effect === "moved") moved = moved.slice(-countCreated(found, index));
      const inside = moved.shift();
      if (inside) {
        names.put(normal, inside);
        areThere(effects, [normal, ...foldersOf(normal)]);
        continue;
      }
    } else moved = [];
    if (effect === "keeps") {
      for (const one of loose) kept.set(one, effects.get(one));
      loose.clear();
    } else if (effect === "stashes") stashes.push(takeBack(changes, ""));
    else if (effect === "made") areThere(effects, [normal, ...foldersOf(normal)]);
    else if (effect === "reverts") {
      takeBack(changes, normal);
      areThere(effects, foldersOf(normal));
    } else if (effect === "restores") {
      for (const [one, was] of stashes.pop() ?? []) {
        effects.set(one, was);
        loose.add(one);
      }
    } else {
      if (effect === "deleted" && normal !== "") {
        takeAlong(normal);
        if (!names.isFile(normal)) names.remove(normal);
      }
      change(normal, effect);
    }
  }
  const all: Effects = new Map([...effects].filter(([path]) => !names.find(path)));
  for (const path of names.paths()) all.set(path, isNewAt(effects, passing, path) ? "created" : "modified");
  const changed = [...all].flatMap(([path, effect]) => (effect === "read" ? [] : [path]));
  const isScratch = scratchOf(changed, scratch, folder);
  const isAside = (path: string) => (passing.has(path) && all.get(path) === "deleted") || isScratch(path);
  const aside = changed.filter(isAside);
  return { files: { ...toLists(all), ...(aside.length > 0 && { aside: aside.sort() }) }, isScratch };
}

const withNames = (taken: MovedNames | undefined, names: readonly string[]): MovedNames | undefined => {
  if (names.length === 0) return taken;
  const all = taken ?? { isFile: false, inside: new Map() };
  const tree = createMovedNames(all);
  for (const name of names) tree.add(name);
  return all;
};

/** How many paths in a row are created from here on. */
function countCreated(found: readonly FileEffect[], from: number): number {
  let to = from;
  while (found[to]?.effect === "created") to++;
  return to - from;
}

interface Changes {
  readonly effects: Tree;
  readonly loose: Set<string>;
  readonly kept: ReadonlyMap<string, Effect | undefined>;
  readonly isTooMuch: (paths: readonly string[]) => boolean;
}

/** Undoes the uncommitted changes of a path ("" for all) and returns them. New files in a folder stay: they are untracked. */
function takeBack({ effects, loose, kept, isTooMuch }: Changes, path: string): Effects {
  const taken: Effects = new Map();
  // A bare word may be a branch, not a folder.
  const isFolder = path.includes("/") && !loose.has(path);
  const inside = isFolder ? effects.below(path.replace(/\/+$/, "")).filter((one) => loose.has(one)) : [];
  const meant = path === "" ? [...loose] : loose.has(path) ? [path] : inside;
  for (const one of isTooMuch(meant) ? [] : meant) {
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

/** Each path is in one list: the last effect counts, but reading changes nothing, and a new file stays new. Returns whether the
 * file was changed. */
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
  const isNew = isNewAt(effects, passing, path);
  effects.set(path, effect === "created" && !isNew ? "modified" : effect);
  if (effect === "deleted" && before === "created") passing.add(path);
  else passing.delete(path);
  return true;
}

/** Is a file that is created here now new to the project? */
function isNewAt(effects: Effects, passing: ReadonlySet<string>, path: string): boolean {
  const before = effects.get(path);
  return before === undefined || before === "created" || (before === "deleted" && passing.has(path));
}

/** Says which paths lie in the temporary folders of `scratch`. @param project those that hold it do not count */
export function temporaryIn(scratch: readonly string[], project = ""): (path: string) => boolean {
  const lies = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
  const roots = scratch.filter((one) => one.startsWith("/") && !lies(project, one));
  return (path) => roots.some((root) => lies(path, root));
}

/** Says which paths are caches and temporary files: not project work, unless the project itself is there. */
function scratchOf(changed: readonly string[], scratch: readonly string[], folder = ""): (path: string) => boolean {
  const names = new Set(scratch.filter((one) => !one.startsWith("/")));
  const lies = temporaryIn(scratch);
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
