// Reads, changes and restores the configuration files of a host in a project.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { inside } from "../../files/folders.js";
import { readRegular, replaceFile } from "../../files/regular-file.js";
import { PACK_BYTES } from "../../limits.js";
import { changeState, clearState, readState } from "../../state/state.js";
import { CommandError } from "../output/terminal.js";

export interface HostChange {
  readonly name: string;
  /** Undefined if the file does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Remove its folder as well, if it becomes empty. */
  readonly withFolder?: boolean;
}

export interface HostFile {
  readonly name: string;
  readonly text: string | undefined;
  /** It leads out of the project: it is read, but never written. */
  readonly foreign: boolean;
}

export function readHostFile(folder: string, name: string): HostFile {
  const above = dirname(name);
  const place = above === "." ? undefined : infoOf(folder, above);
  if (place && !place.isDirectory())
    throw new CommandError(`${above} is not a folder: nothing was written`, `move ${above} away, and run this again`);
  const foreign = !inside(join(folder, name), folder);
  return { name, text: infoOf(folder, name) && textOf(folder, name), foreign };
}

function infoOf(folder: string, name: string): Stats | undefined {
  const path = join(folder, name);
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "is a link that leads nowhere" : `cannot be read (${code})`;
    throw new CommandError(`${name} ${why}: nothing was written`, "move it away, and run this again");
  }
}

function textOf(folder: string, name: string): string {
  try {
    const bytes = readRegular(join(folder, name), PACK_BYTES + 1);
    if (bytes.length > PACK_BYTES)
      throw new CommandError(`${name} has more than ${PACK_BYTES} bytes: that is not a configuration`);
    // Text that cannot be decoded could not be written back unchanged.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof TypeError ? "it is not UTF-8" : code === "EISDIR" ? "it is a folder" : code;
    throw new CommandError(`${name} cannot be read (${why}): nothing was written`);
  }
}

export function writeHostFile(folder: string, { name, before, after, withFolder }: HostChange): void {
  const path = join(folder, name);
  try {
    if (after === undefined) {
      rmSync(path);
      if (withFolder) removeEmpty(dirname(path));
    } else if (before === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, after);
    }
    // Keep a link inside the project.
    else replaceFile(realpathSync(path), after, { exactMode: statSync(path).mode });
  } catch (error) {
    throw new CommandError(`${name} cannot be written (${(error as NodeJS.ErrnoException).code}): it is as it was`);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
}

/**
 * What init changed in a file, stored in the user's state folder: the text alone does not show whether a list was empty before.
 * If the file is still as init left it, --remove restores the exact bytes.
 */
interface Undo {
  readonly version: 1;
  readonly file: string;
  /** The digest of the text that init left. */
  readonly digest: string;
  /** The original text of the changed part; null if there was no file. */
  readonly instead: { readonly start: number; readonly end: number; readonly text: string } | null;
  readonly madeFolder: boolean;
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const undoName = (file: string) => `init-${digestOf(file).slice(0, 16)}`;

/** @param original the text of the file without our entries */
export function rememberUndo(folder: string, { name, after = "" }: HostChange, original: string | undefined): void {
  const file = join(folder, name);
  const undo: Undo = {
    version: 1,
    file,
    digest: digestOf(after),
    instead: original === undefined ? null : difference(original, after),
    madeFolder: !existsSync(dirname(file)),
  };
  try {
    changeState(undoName(file), () => undo);
  } catch {
    // Without it, --remove removes our entries and leaves the rest.
  }
}

/** Stores only the difference: the rest of the file may be private. */
function difference(before: string, after: string): Exclude<Undo["instead"], null> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: after.length - same, text: before.slice(start, before.length - same) };
}

/** The same removal, but with the exact original bytes if they are known. */
export function exactRemoval(folder: string, change: HostChange): HostChange {
  const { digest, instead, madeFolder } = (readState(undoName(join(folder, change.name))).value ?? {}) as Partial<Undo>;
  const { before = "" } = change;
  if (digest !== digestOf(before) || instead === undefined) return change;
  if (instead === null) return { ...change, after: undefined, withFolder: madeFolder === true };
  return { ...change, after: before.slice(0, instead.start) + instead.text + before.slice(instead.end) };
}

export function forgetUndo(folder: string, { name }: HostChange): void {
  try {
    clearState(undoName(join(folder, name)));
  } catch {
    // It does not match any other text, so it does no harm.
  }
}
