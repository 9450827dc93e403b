// What init changed in a host's file, remembered in the user's state folder: the text alone does not say whether a list was
// empty before, or how wide. While the file is as init left it, --remove gives back the very bytes of before.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { changeState, clearState, readState } from "../keep/state.js";
import type { HostChange } from "./host-file.js";

interface Undo {
  readonly version: 1;
  readonly file: string;
  /** Of the text that init left. */
  readonly digest: string;
  /** What stood in the place of a part of it; null when there was no file. */
  readonly instead: { readonly start: number; readonly end: number; readonly text: string } | null;
  readonly madeFolder: boolean;
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const nameOf = (file: string) => `init-${digestOf(file).slice(0, 16)}`;

/** @param original what the file says without what is ours */
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
    changeState(nameOf(file), () => undo);
  } catch {
    // Without it, --remove takes out what is ours and leaves the rest.
  }
}

/** Only what differs: the rest of the file is nobody's business. */
function difference(before: string, after: string): Exclude<Undo["instead"], null> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: after.length - same, text: before.slice(start, before.length - same) };
}

/** The same change, but to the bytes of before where they are known. */
export function undone(folder: string, change: HostChange): HostChange {
  const file = join(folder, change.name);
  const { digest, instead, madeFolder } = (readState(nameOf(file)).value ?? {}) as Partial<Undo>;
  const { before = "" } = change;
  if (digest !== digestOf(before) || instead === undefined) return change;
  if (instead === null) return { ...change, after: undefined, withFolder: madeFolder === true };
  return { ...change, after: before.slice(0, instead.start) + instead.text + before.slice(instead.end) };
}

export function forgetUndo(folder: string, { name }: HostChange): void {
  try {
    clearState(nameOf(join(folder, name)));
  } catch {
    // It counts for no other text.
  }
}
