// What is stored about projects and sessions: in the user's state folder, readable by the user alone, written whole
// or not at all.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { homeFolder } from "../home-folder.js";
import { LEFTOVER_MILLISECONDS, LOCK_TRIES, STATE_BYTES, STATE_DAYS } from "../limits.js";
import { makeFolder } from "../make-folder.js";
import { readRegular } from "../regular-file.js";
import { takeLock } from "./lock.js";

export interface Stored {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** When it was last written, in ISO form. */
  readonly time: string;
}

/** XDG's state folder, else the platform's usual one; undefined for a user who has neither. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_STATE_HOME, LOCALAPPDATA } = environment;
  const home = homeFolder();
  const usual = (process.platform === "win32" && LOCALAPPDATA) || (home && join(home, ".local", "state"));
  const base = XDG_STATE_HOME || usual;
  return base ? join(base, "compaction-rules") : undefined;
}

export const NO_FOLDER = "no home folder is known, and XDG_STATE_HOME names none";

/** Where something is to be stored there must be a folder. */
function requiredFolder(folder: string | undefined): string {
  if (folder === undefined) throw new Error(NO_FOLDER);
  return folder;
}

const NAME = /^[\w.-]+$/;

function fileOf(name: string, folder: string): string {
  if (!NAME.test(name) || name.startsWith(".")) throw new Error(`"${name}" names no stored file`);
  return join(folder, `${name}.json`);
}

/** May anything be stored under a name that begins so? */
export function mayHold(beginning: string, folder = stateFolder()): boolean {
  try {
    return entriesOf(folder).some((name) => name.startsWith(beginning));
  } catch {
    return true;
  }
}

/** The stored value; undefined when there is none or it cannot be read, which is said by `broken`. */
export function readState(name: string, folder = stateFolder()): { readonly value?: unknown; readonly broken?: string } {
  if (folder === undefined) return {};
  const file = fileOf(name, folder);
  try {
    const value: unknown = JSON.parse(readRegular(file, STATE_BYTES).toString("utf8"));
    const version = (value as { version?: unknown } | null)?.version;
    if (version === 1) return { value };
    return { broken: `${file} is of version ${String(version)}; this program reads version 1` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === NOTHING) return {};
    return { broken: `${file} cannot be read${code === undefined ? "" : ` (${code})`}` };
  }
}

/** Whatever else keeps from looking, something may be there. */
const NOTHING = "ENOENT";

function entriesOf(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === NOTHING) return [];
    throw error;
  }
}

/**
 * Reads, changes and writes while no other process does: of two that add something, neither undoes the other.
 * @param change is told by `broken` when there is something that cannot be read; what it gives takes its place
 */
export function changeState<T extends { readonly version: 1 }>(
  name: string,
  change: (value: unknown, broken?: string) => T | undefined,
  place = stateFolder(),
): T | undefined {
  const folder = requiredFolder(place);
  const file = fileOf(name, folder);
  makeFolder(folder, 0o700);
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const lock = takeLock(`${file}.lock`);
    try {
      const { value, broken } = readState(name, folder);
      const next = change(value, broken);
      if (next === undefined || replace(name, next, folder, lock.holds)) return next;
    } finally {
      lock.release();
    }
  }
  throw new Error(`${file} is changed by other processes all the time`);
}

/** Writes beside and renames, so that a reader sees the old value or the new one, never a part. */
function replace(name: string, value: unknown, folder: string, allowed: () => boolean): boolean {
  const file = fileOf(name, folder);
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(value, null, 1)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (!allowed()) return false;
    // What another version wrote is set aside, never overwritten.
    if (readState(name, folder).broken !== undefined) renameSync(file, `${file}.aside-${Date.now()}`);
    renameSync(draft, file);
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

export function listState(folder = stateFolder()): readonly Stored[] {
  return entriesOf(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const file = join(folder as string, name);
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? [{ name: name.slice(0, -5), file, bytes: found.size, time: found.mtime.toISOString() }] : [];
    });
}

/** What could not be read when something else was to be stored in its place. */
export const listAside = (folder = stateFolder()): readonly string[] =>
  besides(folder).flatMap(({ file }) => (ASIDE.test(file) ? [file] : []));

/** Removes one stored file, or all, with what was set aside or left beside them; answers what is gone. */
export function clearState(name?: string, folder = stateFolder()): readonly Stored[] {
  const gone = listState(folder).filter((stored) => name === undefined || stored.name === name);
  for (const { file } of [...gone, ...besides(folder, name)]) rmSync(file, { force: true, recursive: true });
  return gone;
}

/**
 * Removes what nobody has written for so long that nobody will miss it. What is stored may say by itself how many days it is
 * to be kept (`keepDays`), and nobody else's word counts: the next project's may be anybody's. What the user said to a
 * project as such stays.
 * @param days how old a file must be to be asked
 */
export function expireState(days = STATE_DAYS, folder = stateFolder(), now = Date.now()): readonly Stored[] {
  const age = ({ time }: Pick<Stored, "time">) => (now - Date.parse(time)) / DAY;
  const isOver = (one: Stored) => age(one) > Math.min(days, STATE_DAYS) && age(one) > daysOf(one.name, folder);
  const isLeft = (one: Beside) =>
    ASIDE.test(one.file) ? age(one) > STATE_DAYS && !STAYS.test(basename(one.file)) : age(one) * DAY > LEFTOVER_MILLISECONDS;
  const gone = listState(folder).filter((one) => !STAYS.test(one.name) && isOver(one));
  for (const { file } of [...gone, ...besides(folder).filter(isLeft)]) rmSync(file, { force: true, recursive: true });
  return gone;
}

const DAY = 86_400_000;

/** Pins, drops and rules of a project, and what init changed: few words, and the user's own. */
const STAYS = /^(?:project|rules|init)-/;

function daysOf(name: string, folder: string | undefined): number {
  const { keepDays } = (readState(name, folder).value ?? {}) as { readonly keepDays?: unknown };
  return typeof keepDays === "number" ? keepDays : STATE_DAYS;
}

type Beside = Pick<Stored, "file" | "time">;
const ASIDE = /\.aside-\d+$/;

/** What was set aside, and the drafts and locks of processes that were killed. */
function besides(folder: string | undefined, name?: string): readonly Beside[] {
  return entriesOf(folder)
    .filter((entry) => (name === undefined ? entry.includes(".json.") : entry.startsWith(`${name}.json.`)))
    .flatMap((entry) => {
      const file = join(folder as string, entry);
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? [{ file, time: found.mtime.toISOString() }] : [];
    });
}
