// Remembers how init changed a file, so that --remove gives back its bytes. Only places and blanks are stored, no text of the file.
import { createHash } from "node:crypto";
import { asList, isFields } from "../../source/session/parse-json.js";
import { changeState, clearState, readState } from "../../state/state.js";
import { applyEdits, type Edit } from "./jsonc.js";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
/** @param part tells apart what init writes into the same file */
const nameOf = (path: string, part = "") => `init-${digestOf(path + part)}`;

/** If nothing can be stored, --remove still takes out the entries. */
export function rememberUndo(path: string, part: string | undefined, after: string, undo: readonly (readonly Edit[])[]): void {
  try {
    changeState(nameOf(path, part), () => ({ version: 1 as const, file: path, written: digestOf(after), undo }));
  } catch {
    // The state folder cannot be written.
  }
}

/** The file as it was before init, unless somebody changed it since. */
export function undone(path: string, part: string | undefined, now: string): string | undefined {
  const { value } = readState(nameOf(path, part));
  if (!isFields(value) || value.written !== digestOf(now)) return undefined;
  return asList(value.undo).reduce<string>((text, edits) => applyEdits(text, edits as readonly Edit[]), now);
}

export function forgetUndo(path: string, part: string | undefined): void {
  try {
    clearState(nameOf(path, part));
  } catch {
    // It expires.
  }
}
