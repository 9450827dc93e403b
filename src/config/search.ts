// Finds the configuration of a project: .compactionrc and its kin, from a folder upwards to the repository's root.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { diagnostic } from "../diagnostics.js";
import { homeFolder } from "../home-folder.js";
import { PACK_BYTES } from "../limits.js";
import { projectRoot } from "../project-root.js";
import { inside } from "../reach.js";
import { loadCosmiconfig } from "./cosmiconfig.js";
import { type LoadedPack, loadPack, type ReadFailure } from "./load.js";
import { USER_PLACE } from "./sinks.js";

export const CONFIG_PLACES = [".compactionrc", ".compactionrc.yaml", ".compactionrc.yml", ".compactionrc.json"];

export interface FoundConfig {
  readonly config?: LoadedPack;
  /** The folder up to which packs and templates may be reached. */
  readonly root: string;
}

export function searchConfig(folder: string): FoundConfig {
  const start = resolve(folder);
  const root = projectRoot(start);
  for (let place = start; ; place = dirname(place)) {
    const [first, ...others] = CONFIG_PLACES.map((name) => join(place, name)).filter(isThere);
    // Where none of them is, the search itself, which is slow to start, is not begun. It would pass over what cannot be read.
    const found = first === undefined || !isReadable(first) ? first : search(place, first);
    if (found) return { config: withUnread(loadPack(found, root, "config", awayFrom(root, found)), others), root };
    if (place === root || dirname(place) === place) return { root };
  }
}

/** A link that came with a clone may lead to any file of the user's. */
function awayFrom(root: string, file: string): ReadFailure | undefined {
  if (inside(file, root)) return undefined;
  const message = `${file} is a link that leaves ${root}`;
  return { code: "file-unreadable", message, at: { file, line: 1, column: 1 }, hint: "put the file itself there" };
}

function search(place: string, first: string): string | undefined {
  // It only finds the file: it must not act on what is in it, such as $import.
  const unread = () => ({});
  try {
    const { ExplorerSync } = loadCosmiconfig();
    const explorer = new ExplorerSync({
      searchPlaces: CONFIG_PLACES,
      searchStrategy: "none",
      ignoreEmptySearchPlaces: false,
      loaders: { ".json": unread, ".yaml": unread, ".yml": unread, noExt: unread },
      transform: (found) => found,
    });
    return explorer.search(place)?.filepath;
  } catch {
    // It needs a home folder and a working folder, which we do not.
    return first;
  }
}

function withUnread(config: LoadedPack, others: readonly string[]): LoadedPack {
  const unread = others.map((file) => {
    const why = `this is not read: ${basename(config.file)} beside it counts`;
    return diagnostic("config-unread", why, { file, line: 1, column: 1 }, "keep one of the two");
  });
  return unread.length > 0 ? { ...config, diagnostics: [...config.diagnostics, ...unread] } : config;
}

/** A file named by hand: a configuration by its name, otherwise a pack. */
export function loadNamed(file: string): LoadedPack {
  const path = resolve(file);
  return loadPack(path, projectRoot(dirname(path)), CONFIG_PLACES.includes(basename(path)) ? "config" : "pack");
}

/** The user's own settings, in which only sinks are read. */
export function userConfig(): LoadedPack | undefined {
  const { XDG_CONFIG_HOME = "" } = process.env;
  const home = homeFolder();
  // A relative one would lie in whatever project the program is started in.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home && join(home, ".config");
  const file = base && join(base, ...USER_PLACE);
  return file && isThere(file) ? loadPack(file, dirname(file), "config") : undefined;
}

/** A link that leads nowhere is there as well. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder on the way that is none, or cannot be entered.
    if (["ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** What is no file, may not be read, leads back to itself or is too large is told of when it is loaded. */
function isReadable(path: string): boolean {
  try {
    const info = statSync(path);
    accessSync(path, constants.R_OK);
    return info.isFile() && info.size > 0 && info.size <= PACK_BYTES;
  } catch {
    return false;
  }
}
