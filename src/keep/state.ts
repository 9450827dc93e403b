// What is stored about projects and sessions: in the user's state folder, readable by the user alone, written whole
// or not at all.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { STATE_DAYS } from "../limits.js";

export interface Stored {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** When it was last written, in ISO form. */
  readonly time: string;
}

/** XDG's state folder, else the platform's usual one. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = environment;
  const base = XDG_STATE_HOME || (process.platform === "win32" && LOCALAPPDATA) || join(homedir(), ".local", "state");
  return join(base, "compaction-rules");
}

const NAME = /^[\w.-]+$/;

function fileOf(name: string, folder: string): string {
  if (!NAME.test(name) || name.startsWith(".")) throw new Error(`"${name}" names no stored file`);
  return join(folder, `${name}.json`);
}

/** The stored value; undefined when there is none or it cannot be read, which is said by `broken`. */
export function readState(name: string, folder = stateFolder()): { readonly value?: unknown; readonly broken?: string } {
  const file = fileOf(name, folder);
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const version = (value as { version?: unknown } | null)?.version;
    if (version === 1) return { value };
    return { broken: `${file} is of version ${String(version)}; this program reads version 1` };
  } catch {
    return { broken: `${file} cannot be read` };
  }
}

/** Writes beside and renames, so that a reader sees the old value or the new one, never a part. */
export function writeState(name: string, value: { readonly version: 1 }, folder = stateFolder()): void {
  const file = fileOf(name, folder);
  const { broken } = readState(name, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What another version wrote is set aside, never overwritten.
  if (broken !== undefined) renameSync(file, `${file}.aside-${process.pid}`);
  const draft = `${file}.${process.pid}.draft`;
  const handle = openSync(draft, "w", 0o600);
  try {
    writeSync(handle, `${JSON.stringify(value, null, 1)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

export function listState(folder = stateFolder()): readonly Stored[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const { size, mtime } = statSync(file);
      return { name: name.slice(0, -5), file, bytes: size, time: mtime.toISOString() };
    });
}

/** Removes one stored file, or all; answers what is gone. */
export function clearState(name?: string, folder = stateFolder()): readonly Stored[] {
  const gone = listState(folder).filter((stored) => name === undefined || stored.name === name);
  for (const { file } of gone) rmSync(file, { force: true });
  return gone;
}

/** Removes what nobody has written for so long that nobody will miss it. */
export function expireState(now: number, days = STATE_DAYS, folder = stateFolder()): readonly Stored[] {
  const old = listState(folder).filter(({ time }) => now - Date.parse(time) > days * 86_400_000);
  for (const { file } of old) rmSync(file, { force: true });
  return old;
}
