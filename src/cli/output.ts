// A file that a command writes: whole, once the work is done, or not at all.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.js";

export interface Output {
  /** @param comfort what to do when it fails after all */
  readonly commit: (text: string, comfort?: string) => void;
  readonly discard: () => void;
}

/** Standard output unless a file is named; that it can be written is known before the work begins. */
export function openOutput(path: string | undefined): Output {
  if (path === undefined) return { commit: (text) => void process.stdout.write(text), discard: () => {} };
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Failure(`${path} is a folder`, "--out names a file");
  // A device or a pipe is written to as it is.
  if (found && !found.isFile())
    return { commit: (text, comfort) => attempt(path, () => writeFileSync(path, text), comfort), discard: () => {} };
  const draft = `${path}.${randomUUID()}.draft`;
  const handle = attempt(path, () => openSync(draft, "wx", found?.mode ?? 0o666));
  let open = true;
  const close = () => {
    if (open) closeSync(handle);
    open = false;
    rmSync(draft, { force: true });
  };
  return {
    commit: (text, comfort) =>
      attempt(
        path,
        () => {
          try {
            writeFileSync(handle, text);
            fsyncSync(handle);
            renameSync(draft, path);
          } finally {
            close();
          }
        },
        comfort,
      ),
    discard: close,
  };
}

function attempt<T>(path: string, work: () => T, hint = "name another file with --out"): T {
  try {
    return work();
  } catch (error) {
    throw new Failure(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, hint);
  }
}
