// What was found in messages, in the user's cache folder: lines are only ever added, by any process at any time, and
// whatever goes wrong means that nothing is known. A file holds what sessions give that begin alike, by one engine and
// one set of rules.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { digestOf } from "../extract/digest.js";
import type { Store, Stores } from "../extract/stored-finds.js";
import { homeFolder } from "../home-folder.js";
import {
  FINDS_BATCH_CHARACTERS,
  FINDS_BYTES,
  FINDS_FILE_BYTES,
  FINDS_LINE_CHARACTERS,
  RESIDENT_STORES,
  STORED_FINDS_CHARACTERS,
} from "../limits.js";
import { makeFolder } from "../make-folder.js";
import type { LoadedRules } from "../rules/load.js";
import { keepNewest } from "./newest.js";

/** XDG's cache folder, else the platform's usual one; undefined for a user who has neither. */
function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment;
  const home = homeFolder();
  const base = XDG_CACHE_HOME || (process.platform === "win32" && LOCALAPPDATA) || (home && join(home, ".cache"));
  return base ? join(base, "compaction-rules", "finds") : undefined;
}

export interface StoreBounds {
  /** Characters of a session that is worth it. */
  readonly least: number;
  /** Bytes of a file and the one before it, and of all. */
  readonly file: number;
  readonly all: number;
}

const BOUNDS: StoreBounds = { least: STORED_FINDS_CHARACTERS, file: FINDS_FILE_BYTES, all: FINDS_BYTES };

/** Undefined when the user wants nothing stored. */
export function findsStores(
  { packs }: Pick<LoadedRules, "packs">,
  folder?: string,
  bounds: StoreBounds = BOUNDS,
): Stores | undefined {
  if (process.env.COMPACTION_CACHE?.toLowerCase() === "off") return undefined;
  let owner: string | undefined;
  return {
    least: bounds.least,
    open(head) {
      try {
        // What packs say, and the tables by which the engine that runs this tells letters.
        owner ??= digestOf(JSON.stringify([process.versions.unicode, packs.packs.map(({ body }) => body)]));
        const place = folder ?? cacheFolder();
        if (place === undefined) return NO_STORE;
        return openFile(join(place, `${digestOf(owner + head)}${ENDING}`), place, bounds);
      } catch {
        return NO_STORE;
      }
    },
  };
}

const NO_STORE: Store = { get: () => undefined, has: () => true, keys: () => [], put: () => undefined, save: () => undefined };

/** The same for a host that runs on: what was opened last stays open, and knows what was put into it. */
export function residentStores(stores: Stores): Stores {
  const opened = new Map<string, Store>();
  return {
    ...stores,
    open(head) {
      const store = opened.get(head) ?? withAdded(stores.open(head));
      keepNewest(opened, head, store, RESIDENT_STORES);
      return store;
    },
  };
}

function withAdded(store: Store): Store {
  const added = new Map<string, string>();
  return {
    ...store,
    get(key) {
      const value = added.get(key);
      return value === undefined ? store.get(key) : parse(value);
    },
    has: (key) => added.has(key) || store.has(key),
    *keys() {
      yield* store.keys();
      yield* added.keys();
    },
    put(key, value) {
      added.set(key, JSON.stringify(value));
      store.put(key, value);
    },
  };
}

const ENDING = ".lines";
/** What was written before there was too much of it. */
const OLD = ".old";
const FILE = /^[\w-]{22}\.lines(?:\.old)?$/;
/** A link leads elsewhere, and a pipe would wait for a writer. Windows knows neither. */
const PLAIN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openFile(file: string, folder: string, bounds: StoreBounds): Store {
  // Of each key what was written last. It is parsed when somebody asks for it.
  const known = new Map<string, string>();
  for (const one of [`${file}${OLD}`, file]) readLines(one, bounds.file, known);
  let entries: string[] = [];
  let characters = 0;
  let lines = "";
  let isBroken = false;

  function endLine(): void {
    if (entries.length === 0) return;
    const line = entries.join(BETWEEN);
    lines += `${digestOf(line)}${BETWEEN}${line}\n`;
    entries = [];
    characters = 0;
  }

  function write(): void {
    try {
      // A process that was ended may have left half a line.
      if (lines !== "" && !isBroken) append(file, folder, `\n${lines}`, bounds.file / GENERATIONS);
    } catch {
      isBroken = true;
    }
    lines = "";
  }

  return {
    get(key) {
      const value = known.get(key);
      return value === undefined ? undefined : parse(value);
    },
    has: (key) => known.has(key),
    keys: () => known.keys(),
    put(key, value) {
      const entry = JSON.stringify(value);
      entries.push(key, entry);
      characters += key.length + entry.length;
      if (characters > FINDS_LINE_CHARACTERS) endLine();
      if (lines.length > FINDS_BATCH_CHARACTERS) write();
    },
    save() {
      endLine();
      if (lines === "") return;
      write();
      if (!isBroken) prune(folder, file, bounds.all);
    },
  };
}

/** Neither a key nor JSON has it. */
const BETWEEN = "\t";

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** What is written in lines that are as they were written; others are passed over. */
function readLines(file: string, most: number, known: Map<string, string>): void {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | PLAIN);
    const info = fstatSync(handle);
    if (!info.isFile() || info.size > most) return;
    for (const text of readFileSync(handle, "utf8").split("\n")) {
      const at = text.indexOf(BETWEEN);
      const line = text.slice(at + 1);
      if (at < 0 || digestOf(line) !== text.slice(0, at)) continue;
      const entries = line.split(BETWEEN);
      for (let index = 0; index + 1 < entries.length; index += 2)
        known.set(entries[index] as string, entries[index + 1] as string);
    }
  } catch {
    // Whatever it is, it is none of ours.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The file that is written, and the one before it. */
const GENERATIONS = 2;

/** In one go, so that lines of two processes stand behind each other. */
function append(file: string, folder: string, text: string, most: number): void {
  makeFolder(folder, 0o700);
  const bytes = Buffer.from(text);
  if (bytes.length > most) return;
  const open = () => openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | PLAIN, 0o600);
  let handle = open();
  try {
    const { size, ino } = fstatSync(handle);
    if (size + bytes.length > most) {
      // Who has the file open writes on into it under its other name. Another process may have begun anew just now.
      if (statSync(file, { throwIfNoEntry: false })?.ino === ino) renameSync(file, `${file}${OLD}`);
      closeSync(handle);
      handle = open();
    }
    if (fstatSync(handle).isFile()) writeSync(handle, bytes);
  } finally {
    closeSync(handle);
  }
}

/** The files that were not written for longest go, until the rest is within its bound. */
function prune(folder: string, own: string, most: number): void {
  try {
    const files = readdirSync(folder)
      .filter((name) => FILE.test(name))
      .flatMap((name) => {
        const file = join(folder, name);
        const info = statSync(file, { throwIfNoEntry: false });
        return info ? [{ file, size: info.size, time: info.mtimeMs }] : [];
      })
      .sort((a, b) => a.time - b.time);
    let sum = files.reduce((total, { size }) => total + size, 0);
    for (const { file, size } of files) {
      if (sum <= most) break;
      if (file === own || file === `${own}${OLD}`) continue;
      rmSync(file, { force: true });
      sum -= size;
    }
  } catch {
    // What cannot be listed or removed stays.
  }
}
