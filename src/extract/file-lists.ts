// What tools did to files, one after the other → the lists of what was read, created, modified and deleted in the end.
import { PATH_FOLDERS } from "../limits.js";
import type { FileLists } from "../model.js";
import type { FileEffect } from "./patch.js";
import { inferFolder, normalPath } from "./path.js";

type Effect = Exclude<keyof FileLists, "aside">;
type Effects = Map<string, Effect>;

/** What was done to each path, and which paths lie below a folder: one may be deleted for each of thousands. */
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
  given: string | undefined,
  scratch: readonly string[],
  masked: (text: string) => string,
): FileLists {
  const folder = given ?? inferFolder(found.map(({ path }) => path));
  const effects = new Tree();
  // What was changed since it was last committed, how it was then, and what was set aside.
  const loose = new Set<string>();
  const kept = new Map<string, Effect | undefined>();
  const stashes: Effects[] = [];
  // What came and went, or went by another name.
  const passing = new Set<string>();
  const known = new Map<string, string>();
  // What stood in a folder that has just been moved, until it is told where to.
  let moved: readonly string[] = [];
  // What was just moved, and of what lies elsewhere now, where it came from and what had been done to it there.
  let leaving: Home[] = [];
  const away = new Map<string, Home>();
  /** What was changed below a folder that goes, goes with it. */
  const takeAlong = (folder: string): readonly string[] => {
    const inside = [...effects.below(folder)].filter((one) => !GONE.has(effects.get(one)));
    for (const one of inside) if (record(effects, passing, one, "deleted")) loose.add(one);
    return inside.map((one) => one.slice(folder.length));
  };
  for (const { path, effect } of found) {
    // The same files are named again and again.
    // Masked first: a normal path has lost what tells an address from it.
    const normal = known.get(path) ?? normalPath(masked(path), folder);
    known.set(path, normal);
    const from = effect === "created" ? leaving.shift() : undefined;
    if (effect !== "moved" && effect !== "created") leaving = [];
    // What is changed there is changed when it comes back.
    const home = away.get(normal);
    if (home && !from && (effect === "modified" || effect === "created"))
      away.set(normal, { path: home.path, was: home.was === "created" ? "created" : "modified" });
    if (effect === "keeps") {
      for (const one of loose) kept.set(one, effects.get(one));
      loose.clear();
    } else if (effect === "stashes") stashes.push(takeBack({ effects, loose, kept }, ""));
    else if (effect === "reverts") takeBack({ effects, loose, kept }, normal);
    else if (effect === "restores") {
      for (const [one, was] of stashes.pop() ?? []) {
        effects.set(one, was);
        loose.add(one);
      }
    } else if (effect === "moved") {
      leaving.push({ path: normal, was: effects.get(normal) });
      moved = normal === "" ? [] : takeAlong(normal);
      // Its other name tells of it.
      for (const one of moved) passing.add(normal + one);
      if (record(effects, passing, normal, "deleted")) loose.add(normal);
      passing.add(normal);
    } else if (effect === "created" && moved.length > 0) {
      for (const one of moved) if (record(effects, passing, normal + one, effect)) loose.add(normal + one);
      moved = [];
    } else {
      if (effect === "deleted" && normal !== "") takeAlong(normal);
      const back = from && away.get(from.path);
      if (from) away.delete(from.path);
      if (back?.path === normal) {
        passing.delete(normal);
        putBack({ effects, loose, kept }, back);
        continue;
      }
      if (from) away.set(normal, from);
      if (record(effects, passing, normal, effect)) loose.add(normal);
    }
  }
  const isScratch = scratchOf(effects, scratch, folder);
  const aside = [...effects].flatMap(([path, effect]) =>
    effect !== "read" && (passing.has(path) || isScratch(path)) ? [path] : [],
  );
  return { ...toLists(effects), ...(aside.length > 0 && { aside: aside.sort() }) };
}

/** What does not go with its folder. */
const GONE: ReadonlySet<Effect | undefined> = new Set(["read", "deleted"]);

/** Where something was before it was moved, and what had been done to it. */
interface Home {
  readonly path: string;
  readonly was: Effect | undefined;
}

/** It lies where it did, as if it had not been moved. */
function putBack({ effects, loose, kept }: Changes, { path, was }: Home): void {
  if (was === undefined) effects.delete(path);
  else effects.set(path, was);
  if (was === undefined || was === "read" || kept.get(path) === was) loose.delete(path);
}

interface Changes {
  readonly effects: Tree;
  readonly loose: Set<string>;
  readonly kept: ReadonlyMap<string, Effect | undefined>;
}

/** Of a folder only what was there before: what is new is not known to the repository. */
function takeBack({ effects, loose, kept }: Changes, path: string): Effects {
  const taken: Effects = new Map();
  // A bare word may be a branch.
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

/**
 * A path is in one list: what was done last to it counts, but reading changes nothing, and what is new stays new. Says
 * whether anything was changed.
 */
function record(effects: Effects, passing: Set<string>, path: string, effect: Effect): boolean {
  if (path === "") return false;
  const before = effects.get(path);
  if (effect === "read") {
    if (before === undefined) effects.set(path, effect);
    return false;
  }
  if (effect === "modified" && before === "created") return true;
  const isNew = before === undefined || before === "created" || (before === "deleted" && passing.has(path));
  effects.set(path, effect === "created" && !isNew ? "modified" : effect);
  if (effect === "deleted" && before === "created") passing.add(path);
  else passing.delete(path);
  return true;
}

/** Caches and temporary files are no work on the project, unless it lies there itself. */
function scratchOf(effects: Effects, scratch: readonly string[], folder: string | undefined): (path: string) => boolean {
  const names = new Set(scratch.filter((one) => !one.startsWith("/")));
  const roots = scratch.filter((one) => one.startsWith("/"));
  const lies = (path: string) => roots.some((root) => path.startsWith(`${root}/`));
  const isAtHome = lies(folder ?? "") || [...effects].every(([path, effect]) => effect === "read" || lies(path));
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
