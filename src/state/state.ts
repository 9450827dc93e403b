// Stores data about projects and sessions in the user's state folder. Only the user can read the files, and each is
// written completely or not at all.
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { homeFolder, makeFolder, orUndefined } from "../files/folders.js";
import { readRegular, replaceFile } from "../files/regular-file.js";
import { STATE_BYTES } from "../limits.js";
import { digestOf } from "../text/forms.js";
import { takeLock } from "./lock.js";

/** Days after its last change until the stored file of a session is removed. */
const STATE_DAYS = 90;
/** How often a change is retried after its lock was taken over. */
const LOCK_TRIES = 3;
/** The age at which leftovers of a killed process are removed. */
const LEFTOVER_MILLISECONDS = 3_600_000;

export interface Stored {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** When it was last changed, in ISO format. */
  readonly time: string;
}

/** XDG's state folder, or the platform's default; undefined for a user without either. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_STATE_HOME, LOCALAPPDATA } = environment;
  const home = homeFolder();
  const usual = (process.platform === "win32" && LOCALAPPDATA) || (home && join(home, ".local", "state"));
  const base = XDG_STATE_HOME || usual;
  return base ? join(base, "compaction-rules") : undefined;
}

export const NO_FOLDER = "no home folder is known, and XDG_STATE_HOME names none";

function fileOf(name: string, folder: string): string {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`"${name}" names no stored file`);
  return join(folder, `${name}.json`);
}

/** Where something is stored, or would be. */
export const stateFile = (name: string, folder = stateFolder()): string | undefined =>
  folder === undefined ? undefined : fileOf(name, folder);

/** The file name for a session. It gets a hash if the id is too long or has other characters. */
export function fileNameOf(session: string): string {
  const plain = session.replace(/[^\w.-]+/g, "-");
  if (plain === session && plain.length <= 80) return plain;
  return `${plain.slice(-71)}-${digestOf(session, 8)}`;
}

/** May a stored file have a name that starts like this? */
export const mayBeStored = (beginning: string, folder = stateFolder()): boolean =>
  orUndefined(() => entriesOf(folder))?.some((name) => name.startsWith(beginning)) ?? true;

/** Does a stored value have the form that this program writes? */
type Fits = (value: unknown) => boolean;

/** The stored value. If it cannot be read, there is no value and `broken` says why. */
export function readState(
  name: string,
  folder = stateFolder(),
  fits: Fits = () => true,
): { readonly value?: unknown; readonly broken?: string } {
  if (folder === undefined) return {};
  const file = fileOf(name, folder);
  try {
    const value: unknown = JSON.parse(readRegular(file, STATE_BYTES).toString("utf8"));
    const version = (value as { version?: unknown } | null)?.version;
    if (version === 1) return fits(value) ? { value } : { broken: `${file} is damaged` };
    return { broken: `${file} is of version ${String(version)}; this program reads version 1` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === NOTHING) return {};
    return { broken: `${file} cannot be read${code === undefined ? "" : ` (${code})`}` };
  }
}

/** The only error that means that nothing is stored. With any other error, something may exist. */
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

/** Reads, changes and writes under a lock, so that two processes do not undo each other's changes.
 * @param change gets `broken` if the stored value cannot be read; its result replaces the value, undefined changes nothing */
export function changeState<T extends { readonly version: 1 }>(
  name: string,
  change: (value: unknown, broken?: string) => T | undefined,
  folder = stateFolder(),
  fits?: Fits,
): T | undefined {
  if (folder === undefined) throw new Error(NO_FOLDER);
  const file = fileOf(name, folder);
  makeFolder(folder, 0o700);
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const lock = takeLock(`${file}.lock`);
    try {
      const { value, broken } = readState(name, folder, fits);
      const next = change(value, broken);
      if (next === undefined || replace(name, next, folder, lock.holds, fits)) return next;
    } finally {
      lock.release();
    }
  }
  throw new Error(`${file} is changed by other processes all the time`);
}

function replace(name: string, value: unknown, folder: string, allowed: () => boolean, fits?: Fits): boolean {
  const file = fileOf(name, folder);
  const ready = () => {
    if (!allowed()) return false;
    // A file that cannot be read, such as one of another version, is renamed and never overwritten.
    if (readState(name, folder, fits).broken !== undefined) renameSync(file, `${file}.aside-${Date.now()}`);
    return true;
  };
  return replaceFile(file, `${JSON.stringify(value, null, 1)}\n`, { mode: 0o600, ready });
}

export const listState = (folder = stateFolder()): readonly Stored[] => filesIn(folder, (entry) => entry.endsWith(".json"));

function filesIn(folder: string | undefined, isWanted: (entry: string) => boolean): readonly Stored[] {
  const entries = entriesOf(folder).filter(isWanted).sort();
  return entries.flatMap((entry) => {
    const file = join(folder as string, entry);
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? [{ name: entry.replace(/\.json$/, ""), file, bytes: found.size, time: found.mtime.toISOString() }] : [];
  });
}

/** Files that could not be read and were renamed when something else was stored in their place. */
export const listAside = (folder = stateFolder()): readonly string[] =>
  besides(folder).flatMap(({ file }) => (ASIDE.test(file) ? [file] : []));

const RECALL = "recall";

/** What is stored, with the index of recall and what belongs to it. */
export const listAll = (folder = stateFolder()): readonly Stored[] =>
  filesIn(folder, (entry) => entry.endsWith(".json") || entry.startsWith(`${RECALL}.db`));

/** Removes one stored file or all of them, with files set aside and leftovers. Returns the removed stored files. The user's
 * consent to an index goes with the index. */
export function clearState(name?: string, folder = stateFolder()): readonly Stored[] {
  const isMeant = (stored: string) => stored === name || (name === RECALL && stored.startsWith(`${RECALL}.db`));
  const gone = listAll(folder).filter((stored) => name === undefined || isMeant(stored.name));
  for (const { file } of [...gone, ...besides(folder, name)]) rmSync(file, { force: true, recursive: true });
  return gone;
}

/** Removes files that were not changed for a long time. Only the stored file itself says how many days it is kept (`keepDays`):
 * the configuration of another project does not count. Pins, drops and rules of a project are kept.
 * @param days younger files are not opened */
export function expireState(days = STATE_DAYS, folder = stateFolder(), now = Date.now()): readonly Stored[] {
  const age = ({ time }: Stored) => (now - Date.parse(time)) / DAY;
  const isOver = (one: Stored) => age(one) > Math.min(days, STATE_DAYS) && age(one) > daysOf(one.name, folder);
  const isLeft = (one: Stored) =>
    ASIDE.test(one.file) ? age(one) > STATE_DAYS && !STAYS.test(basename(one.file)) : age(one) * DAY > LEFTOVER_MILLISECONDS;
  const gone = listState(folder).filter((one) => !STAYS.test(one.name) && isOver(one));
  for (const { file } of [...gone, ...besides(folder).filter(isLeft)]) rmSync(file, { force: true, recursive: true });
  return gone;
}

const DAY = 86_400_000;

/** Pins, drops, rules and cases of a project, the user's choice of recall, and trusted packs: small, and the user's own. */
const STAYS = /^(?:project-|rules-|cases-|recall$|trusted$)/;

function daysOf(name: string, folder: string | undefined): number {
  const { keepDays } = (readState(name, folder).value ?? {}) as { readonly keepDays?: unknown };
  return typeof keepDays === "number" ? keepDays : STATE_DAYS;
}

const ASIDE = /\.aside-\d+$/;

/** Files set aside, and drafts and locks of killed processes. */
const besides = (folder: string | undefined, name?: string): readonly Stored[] =>
  filesIn(folder, (entry) => (name === undefined ? entry.includes(".json.") : entry.startsWith(`${name}.json.`)));
