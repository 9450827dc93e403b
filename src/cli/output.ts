// A file that a command writes: whole, once the work is done, or not at all.
import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.js";
import { STANDARD_INPUT } from "./input.js";

/** @param comfort what to do when it fails after all */
export type Write = (text: string, comfort?: string) => void;

/**
 * Standard output unless a file is named; that it can be written is known before the work begins.
 * @param input what is read, which is never written to
 */
export function openOutput(path: string | undefined, input: string): Write {
  if (path === undefined) return (text) => void process.stdout.write(text);
  if (path === "") throw new Failure("--out names no file", 'without it, or with "-", standard output is written');
  const found = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw new Failure(`${path} is a folder`, "--out names a file");
  // A device or a pipe is written to as it is.
  if (found && !found.isFile()) return (text, comfort) => attempt(path, () => writeFileSync(path, text), comfort);
  const read = input === STANDARD_INPUT ? fstatSync(0) : statSync(input);
  if (found && found.dev === read.dev && found.ino === read.ino)
    throw new Failure(`${path} is the session itself, which is never written to`, "name another file with --out");
  // A link stays one.
  const target = found ? realpathSync(path) : path;
  const draft = `${target}.${randomUUID()}.draft`;
  const write = (text: string, done: () => void) => {
    const handle = openSync(draft, "wx", found?.mode ?? 0o666);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    done();
  };
  const cleanly = (text: string, done: () => void, comfort?: string) => {
    try {
      attempt(path, () => write(text, done), comfort);
    } finally {
      rmSync(draft, { force: true });
    }
  };
  // Only a try: a draft that lies there while a model writes would be left by whoever is killed.
  cleanly("", () => {});
  return (text, comfort) => cleanly(text, () => renameSync(draft, target), comfort);
}

function attempt<T>(path: string, work: () => T, hint = "name another file with --out"): T {
  try {
    return work();
  } catch (error) {
    throw new Failure(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, hint);
  }
}
