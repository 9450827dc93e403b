// What was found in messages, in the user's cache folder: lines are only ever added, by any process at any time, and
// whatever goes wrong means that nothing is known. A file holds what sessions give that begin alike, by one engine and
// one set of rules.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { digestOf, type Store, type Stores } from "../extract/stored-finds.js";
import {
  FINDS_BATCH_CHARACTERS,
  FINDS_BYTES,
  FINDS_FILE_BYTES,
  FINDS_LINE_CHARACTERS,
  STORED_FINDS_CHARACTERS,
} from "../limits.js";
import { makeFolder } from "../make-folder.js";
import type { LoadedRules } from "../rules/load.js";

/** XDG's cache folder, else the platform's usual one. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment;
  const base = XDG_CACHE_HOME || (process.platform === "win32" && LOCALAPPDATA) || join(homedir(), ".cache");
  return join(base, "compaction-rules", "finds");
}

export interface StoreBounds {
  /** Characters of a session that is worth it. */
  readonly least: number;
  /** Bytes of one file, and of all. */
  readonly file: number;
  readonly all: number;
}

const BOUNDS: StoreBounds = { least: STORED_FINDS_CHARACTERS, file: FINDS_FILE_BYTES, all: FINDS_BYTES };

/** Undefined when the user wants nothing stored. */
export function findsStores(
  { packs }: Pick<LoadedRules, "packs">,
  folder = cacheFolder(),
  bounds: StoreBounds = BOUNDS,
): Stores | undefined {
  if (process.env.COMPACTION_CACHE?.toLowerCase() === "off") return undefined;
  let owner: string | undefined;
  return {
    least: bounds.least,
    open(head) {
      // What packs say, and the tables by which the engine that runs this tells letters.
      owner ??= digestOf(JSON.stringify([process.versions.unicode, packs.packs.map(({ body }) => body)]));
      return openFile(join(folder, `${digestOf(owner + head)}${ENDING}`), folder, bounds);
    },
  };
}

const ENDING = ".lines";
const FILE = /^[\w-]{22}\.lines$/;
/** A link leads elsewhere, and a pipe would wait for a writer. Windows knows neither. */
const PLAIN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openFile(file: string, folder: string, bounds: StoreBounds): Store {
  const known = readLines(file, bounds.file);
  let entries: string[] = [];
  let characters = 0;
  let lines = "";
  let isBroken = false;

  function endLine(): void {
    if (entries.length === 0) return;
    const line = `[${entries.join()}]`;
    lines += `${digestOf(line)} ${line}\n`;
    entries = [];
    characters = 0;
  }

  function write(): void {
    try {
      // A process that was ended may have left half a line.
      if (lines !== "" && !isBroken) append(file, folder, `\n${lines}`, bounds.file);
    } catch {
      isBroken = true;
    }
    lines = "";
  }

  return {
    get: (key) => known.get(key),
    keys: () => known.keys(),
    put(key, value) {
      const entry = JSON.stringify([key, value]);
      entries.push(entry);
      characters += entry.length;
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

/** What is written in lines that are as they were written; others are passed over. */
function readLines(file: string, most: number): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | PLAIN);
    const info = fstatSync(handle);
    if (!info.isFile() || info.size > most) return known;
    for (const text of readFileSync(handle, "utf8").split("\n")) {
      const [check = "", line] = splitOnce(text);
      if (line === undefined || digestOf(line) !== check) continue;
      for (const [key, value] of JSON.parse(line) as [string, unknown][]) known.set(key, value);
    }
  } catch {
    // Whatever it is, it is none of ours.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  return known;
}

function splitOnce(text: string): readonly [string, string?] {
  const at = text.indexOf(" ");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** In one go, so that lines of two processes stand behind each other. */
function append(file: string, folder: string, text: string, most: number): void {
  makeFolder(folder, 0o700);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = Buffer.from(text);
  if (bytes.length > most) return;
  // What is found from now on is worth more than what was found at any time.
  if (size + bytes.length > most) rmSync(file, { force: true });
  const handle = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | PLAIN, 0o600);
  try {
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
      if (file === own) continue;
      rmSync(file, { force: true });
      sum -= size;
    }
  } catch {
    // What cannot be listed or removed stays.
  }
}
