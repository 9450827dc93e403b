// Where a project's configuration is, from a folder up to the repository's root. Cosmiconfig searches. Its explorer is used without
// the function around it, which runs what a project's meta configuration names. Also where the user's own settings are.
import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { getDefaultSearchPlaces } from "cosmiconfig/dist/defaults.js";
// @ts-expect-error: its types leave out what they call internal.
import { ExplorerSync } from "cosmiconfig/dist/ExplorerSync.js";
import { homeFolder, inside, isFolder, orUndefined, projectRoot } from "../files/folders.js";
import { PACK_BYTES } from "../limits.js";

const NAME = "compaction";
const MANIFEST = "package.json";
const PROGRAM = /\.[cm]?[jt]s$/;

/** Where cosmiconfig's users expect a configuration, except programs. */
const PLACES = getDefaultSearchPlaces(NAME).filter((place) => !PROGRAM.test(place));

/** Is it the name of a configuration, and not of a pack? */
export const isConfigFile = (file: string): boolean => PLACES.some((place) => `${sep}${file}`.endsWith(`${sep}${join(place)}`));

/** The configurations of the nearest folder that has one. Only the first of them is used. */
export function findConfig(folder: string): readonly string[] {
  const root = projectRoot(resolve(folder));
  let start = resolve(folder);
  while (start !== root && !isFolder(start)) start = dirname(start);
  if (!isFolder(start)) return [];
  let last = start;
  let unreadable: string | undefined;
  const explorer: Explorer = new ExplorerSync({
    moduleName: NAME,
    searchPlaces: PLACES,
    loaders: { default: loadText },
    searchStrategy: "global",
    stopDir: root,
    ignoreEmptySearchPlaces: false,
    transform: (result: FoundConfig | null) => result,
  });
  // It reads what this names. A pipe would block it, and a link that came with a clone could lead to any file of the user.
  explorer.getSearchPlacesForDir = ({ path, isGlobalConfig }) => {
    if (isGlobalConfig || unreadable !== undefined) return [];
    last = path;
    // A manifest that cannot be read, or is empty, belongs to somebody else.
    const there = placesIn(path).filter((file) => basename(file) !== MANIFEST || isReadable(file, root, 2));
    unreadable = there.find((file) => !isReadable(file, root));
    return unreadable === undefined ? there : there.slice(0, there.indexOf(unreadable));
  };
  const first = explorer.search(start)?.filepath ?? unreadable;
  const there = placesIn(last);
  return first === undefined ? [] : there.slice(there.indexOf(first));
}

type FoundConfig = { readonly filepath: string };

interface Explorer {
  getSearchPlacesForDir(folder: { readonly path: string; readonly isGlobalConfig: boolean }): readonly string[];
  search(from: string): FoundConfig | null;
}

/** Everywhere a configuration of the folder may be, also one that is not there yet. */
export function configPlaces(folder: string): readonly string[] {
  const root = projectRoot(resolve(folder));
  const places: string[] = [];
  for (let place = resolve(folder); ; place = dirname(place)) {
    places.push(...PLACES.map((name) => join(place, name)));
    if (place === root || dirname(place) === place) return places;
  }
}

const placesIn = (folder: string) => PLACES.map((place) => join(folder, place)).filter(isThere);

const isReadable = (file: string, root: string, least = 0): boolean =>
  orUndefined(() => {
    accessSync(file, constants.R_OK);
    const info = statSync(file);
    return info.isFile() && info.size >= least && info.size <= PACK_BYTES && inside(file, root);
  }) === true;

/** Loads a text, not what it says: cosmiconfig would follow `$import` to any file. */
const loadText = (file: string, text: string): unknown =>
  basename(file) === MANIFEST ? { [NAME]: inManifest(file, text) } : text;

/** The text of a configuration. A manifest has it under a key; a text there names the pack that the package publishes. */
export function inManifest(file: string, text: string): string | undefined {
  if (basename(file) !== MANIFEST) return text;
  const part = orUndefined(() => JSON.parse(text)[NAME]);
  return part === undefined || typeof part === "string" ? undefined : JSON.stringify(part);
}

/** The path of a configuration in its file. */
export const pathInManifest = (file: string): readonly string[] => (basename(file) === MANIFEST ? [NAME] : []);

/** Files that look like configurations of the folder and are not used: programs, other formats, the home folder. */
export function findLookalikes(folder: string): readonly string[] {
  const root = projectRoot(resolve(folder));
  const found: string[] = [];
  for (let place = resolve(folder); ; place = dirname(place)) {
    found.push(...lookalikesIn(place));
    if (place === root || dirname(place) === place) break;
  }
  const home = homeFolder();
  const own = home === undefined ? [] : [...placesIn(home), ...lookalikesIn(home)].filter((file) => basename(file) !== MANIFEST);
  const used = findConfig(folder);
  return [...new Set([...found, ...own])].filter((file) => !used.includes(file));
}

const LOOKALIKE = /^(?:\.compactionrc\.(?:[cm]?[jt]s|json[5c]|toml)|compaction\.config\.\w+)$/;

function lookalikesIn(folder: string): readonly string[] {
  const within = (below: string, prefix: string) =>
    (orUndefined(() => readdirSync(join(folder, below))) ?? [])
      .filter((name) => LOOKALIKE.test(prefix + name))
      .map((name) => join(folder, below, name));
  return [...within("", ""), ...within(".config", ".")];
}

/** The path of the user's file, below the folder for user configurations. */
const USER_PLACE = ["compaction-rules", "config.yaml"] as const;

export const USER_FILE = ["~/.config", ...USER_PLACE].join("/");

export function findUserConfig(): string | undefined {
  const file = userConfigPlace();
  return file && isThere(file) ? file : undefined;
}

/** Where the user's own settings are, or would be. */
export function userConfigPlace(): string | undefined {
  const { XDG_CONFIG_HOME = "" } = process.env;
  const home = homeFolder();
  // A relative path would lead into the project where the program was started.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home && join(home, ".config");
  return base && join(base, ...USER_PLACE);
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
