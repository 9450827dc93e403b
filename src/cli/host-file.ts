// Configuration files of a host in a project: reading them as they are, and writing a change.
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PACK_BYTES } from "../limits.js";
import { inside } from "../reach.js";
import { readRegular } from "../regular-file.js";
import { Failure } from "./failure.js";
import { type JsonGroup, parseJsonc } from "./jsonc.js";

export interface HostChange {
  readonly name: string;
  /** Undefined for a file that is not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The folder of the file goes with it, if nothing else is in it. */
  readonly withFolder?: boolean;
}

/** What a file of a project says; undefined where there is none. */
export function readHostFile(folder: string, name: string): { readonly text?: string; readonly foreign: boolean } {
  const above = dirname(name);
  const place = above === "." ? undefined : infoOf(folder, above);
  if (place && !place.isDirectory())
    throw new Failure(`${above} is not a folder: nothing was written`, `move ${above} away, and run this again`);
  const foreign = !inside(join(folder, name), folder);
  return infoOf(folder, name) ? { text: textOf(folder, name), foreign } : { foreign };
}

function infoOf(folder: string, name: string): Stats | undefined {
  const path = join(folder, name);
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder on the way is one no more; or what is there is a link.
    const why = code === "ENOENT" ? "is a link that leads nowhere" : `cannot be read (${code})`;
    throw new Failure(`${name} ${why}: nothing was written`, "move it away, and run this again");
  }
}

function textOf(folder: string, name: string): string {
  try {
    const bytes = readRegular(join(folder, name), PACK_BYTES + 1);
    if (bytes.length > PACK_BYTES) throw new Failure(`${name} has more than ${PACK_BYTES} bytes: that is no configuration`);
    // What cannot be decoded could not be written back as it was.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof TypeError ? "it is not UTF-8" : code === "EISDIR" ? "it is a folder" : code;
    throw new Failure(`${name} cannot be read (${why}): nothing was written`);
  }
}

/** A text that is to be edited. */
export interface HostText {
  readonly name: string;
  readonly text: string;
  /** What to do where it cannot be edited. */
  readonly byHand: string;
}

function refuse({ name, text, byHand }: HostText, what: string, offset: number): never {
  const lines = text.slice(0, offset).split("\n");
  const place = `${name}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  throw new Failure(`${place} cannot be edited, ${what}: nothing was written`, `mend it, or ${byHand}`);
}

export function mapIn(host: HostText): JsonGroup {
  const map = parseJsonc(host.text);
  if ("flaw" in map) return refuse(host, map.flaw, map.offset);
  return map.type === "map" ? map : refuse(host, "it is not a map", map.start);
}

/** What stands under a key, if it is there. */
export function groupIn(host: HostText, map: JsonGroup, key: string, type: JsonGroup["type"]): JsonGroup | undefined {
  const [found, twice] = map.parts.filter((part) => part.key === key);
  if (twice) return refuse(host, `"${key}" stands there twice`, twice.start);
  if (!found) return undefined;
  return found.node.type === type ? found.node : refuse(host, `"${key}" is not a ${type}`, found.node.start);
}

export function writeHostFile(folder: string, { name, before, after, withFolder }: HostChange): void {
  const path = join(folder, name);
  try {
    if (after === undefined) {
      rmSync(path);
      if (withFolder) removeEmpty(dirname(path));
    } else if (before === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      replace(path, after);
    }
    // Through a link inside of the project, which stays one.
    else replace(realpathSync(path), after, statSync(path).mode);
  } catch (error) {
    throw new Failure(`${name} cannot be written (${(error as NodeJS.ErrnoException).code}): it is as it was`);
  }
}

/** Written beside and renamed: the host sees the old file or the new one. */
function replace(file: string, text: string, mode?: number): void {
  const draft = `${file}.${process.pid}.draft`;
  const handle = openSync(draft, "wx");
  try {
    try {
      if (mode !== undefined) fchmodSync(handle, mode & 0o777);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it.
  }
}
