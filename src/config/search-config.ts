// Finds a project's configuration: .compactionrc and its variants, from a folder up to the repository's root.
import { lstatSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { diagnostic } from "../diagnostics.js";
import { homeFolder, inside, projectRoot } from "../files/folders.js";
import { loadPack } from "./load-pack.js";
import type { LoadedPack, ReadFailure } from "./pack.js";
import { USER_PLACE } from "./resolve-sinks.js";

export const CONFIG_PLACES = [".compactionrc", ".compactionrc.yaml", ".compactionrc.yml", ".compactionrc.json"];

export interface FoundConfig {
  readonly config?: LoadedPack;
  /** Packs and templates must be inside this folder. */
  readonly root: string;
}

export function searchConfig(folder: string): FoundConfig {
  const start = resolve(folder);
  const root = projectRoot(start);
  for (let place = start; ; place = dirname(place)) {
    const [first, ...others] = CONFIG_PLACES.map((name) => join(place, name)).filter(isThere);
    if (first !== undefined) return { config: withUnread(loadPack(first, root, "config", awayFrom(root, first)), others), root };
    if (place === root || dirname(place) === place) return { root };
  }
}

/** A link that came with a clone could lead to any file of the user. */
function awayFrom(root: string, file: string): ReadFailure | undefined {
  if (inside(file, root)) return undefined;
  const message = `${file} is a link to a place outside of ${root}`;
  return { code: "file-unreadable", message, at: { file, line: 1, column: 1 }, hint: "replace the link with the file" };
}

function withUnread(config: LoadedPack, others: readonly string[]): LoadedPack {
  const unread = others.map((file) => {
    const why = `this file is ignored: ${basename(config.file)} is used`;
    return diagnostic("config-unread", why, { file, line: 1, column: 1 }, "keep one of the two");
  });
  return unread.length > 0 ? { ...config, diagnostics: [...config.diagnostics, ...unread] } : config;
}

/** Loads a file that the user named: a configuration if it has such a name, otherwise a pack. */
export function loadNamed(file: string): LoadedPack {
  const path = resolve(file);
  return loadPack(path, projectRoot(dirname(path)), CONFIG_PLACES.includes(basename(path)) ? "config" : "pack");
}

/** The user's own settings. Only their sinks are used. */
export function userConfig(): LoadedPack | undefined {
  const { XDG_CONFIG_HOME = "" } = process.env;
  const home = homeFolder();
  // A relative path would lead into the project where the program was started.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home && join(home, ".config");
  const file = base && join(base, ...USER_PLACE);
  return file && isThere(file) ? loadPack(file, dirname(file), "config") : undefined;
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
