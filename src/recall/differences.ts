// What changed since the index was written. A query checks it first, and mostly nothing did.
import { statSync } from "node:fs";
import { projectHome } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { SESSION_BYTES } from "../limits.js";
import type { Indexed } from "./store.js";

/** Bytes at the start of a file that name the project's folder, if the session belongs to it. */
const HEAD_BYTES = 200_000;

/** The paths that are gone, and those that are new or changed. @param project undefined for the sessions of all projects */
export function differences(
  indexed: readonly Indexed[],
  files: readonly { readonly path: string }[],
  project: string | undefined,
): { readonly gone: readonly string[]; readonly changed: readonly string[] } {
  const known = new Map(indexed.map((one) => [one.path, one]));
  const home = project === undefined ? undefined : JSON.stringify(projectHome(project)).slice(1, -1);
  const changed = files.filter(({ path }) => {
    const info = statSync(path, { throwIfNoEntry: false });
    const before = known.get(path);
    if (!info || info.size > SESSION_BYTES || (before?.size === info.size && before.time === info.mtimeMs)) return false;
    return before !== undefined || home === undefined || namesFolder(path, home);
  });
  return {
    gone: [...known.keys()].filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined),
    changed: changed.map(({ path }) => path),
  };
}

/** Does the start of the file name the folder? Reading every session of the machine would take too long. */
function namesFolder(path: string, home: string): boolean {
  try {
    return readRegular(path, HEAD_BYTES).includes(home);
  } catch {
    return false;
  }
}
