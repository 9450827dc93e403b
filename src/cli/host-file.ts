// Configuration files of a host in a project: reading them as they are, and writing a change.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PACK_BYTES } from "../limits.js";
import { Failure } from "./failure.js";
import { type JsonGroup, parseJsonc } from "./jsonc.js";

export interface HostChange {
  readonly name: string;
  /** Empty for a file that is not there yet. */
  readonly before: string;
  readonly after: string;
}

export function textOf(name: string, file: string): string {
  try {
    const { size } = statSync(file);
    if (size > PACK_BYTES) throw new Failure(`${name} has ${size} bytes: that is no configuration`);
    // What cannot be decoded could not be written back as it was.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      `${name} cannot be read (${(error as NodeJS.ErrnoException).code ?? "it is not UTF-8"}): nothing was written`,
    );
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

/** Written beside and renamed: the host sees the old file or the new one. */
export function writeHostFile(folder: string, { name, before, after }: HostChange): void {
  try {
    if (before === "") mkdirSync(dirname(join(folder, name)), { recursive: true });
    // Through a link inside of the project, which stays one.
    const file = before === "" ? join(folder, name) : realpathSync(join(folder, name));
    const draft = `${file}.${process.pid}.draft`;
    const handle = openSync(draft, "wx", before === "" ? 0o666 : statSync(file).mode & 0o777);
    try {
      writeFileSync(handle, after);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    try {
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw new Failure(`${name} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
