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

/** @param byHand what to do where it cannot be edited */
export function refuseEdit(name: string, text: string, what: string, offset: number, byHand: string): never {
  const lines = text.slice(0, offset).split("\n");
  const place = `${name}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  throw new Failure(`${place} cannot be edited, ${what}: nothing was written`, `mend it, or ${byHand}`);
}

export function mapIn(name: string, text: string, byHand: string): JsonGroup {
  const map = parseJsonc(text);
  if ("flaw" in map) return refuseEdit(name, text, map.flaw, map.offset, byHand);
  if (map.type !== "map") return refuseEdit(name, text, "it is not a map", map.start, byHand);
  return map;
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
