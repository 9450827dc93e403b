// What changed since the index was written. A query checks it first, and mostly nothing did.
import { statSync } from "node:fs";
import { projectHome } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { SESSION_BYTES } from "../limits.js";
import type { Listed } from "./listed.js";
import type { Indexed } from "./store.js";

/** Bytes at the start of a file that name the project's folder, if the session belongs to it. */
const HEAD_BYTES = 200_000;

/** Which sessions an index holds. */
export interface Scope {
  /** The project's folder; undefined for the sessions of all projects. */
  readonly project: string | undefined;
  /** Milliseconds since 1970: a session of the project that was not changed since then is not held any more. */
  readonly since?: number;
}

/** The paths that are gone or too old, and what is new or changed. */
export function differences(
  indexed: readonly Indexed[],
  listed: readonly Listed[],
  { project, since = 0 }: Scope,
): { readonly gone: readonly string[]; readonly changed: readonly Listed[] } {
  const known = new Map(indexed.map((one) => [one.path, one]));
  const home = project === undefined ? undefined : projectHome(project);
  const changed = listed.filter(({ path, row, isClosed }) => {
    if (isClosed) return false;
    const before = known.get(path);
    if (row) return row.time >= since && before?.time !== row.time && (home === undefined || projectHome(row.folder) === home);
    const info = statSync(path, { throwIfNoEntry: false });
    if (
      !info ||
      info.mtimeMs < since ||
      info.size > SESSION_BYTES ||
      (before?.size === info.size && before.time === info.mtimeMs)
    )
      return false;
    return before !== undefined || home === undefined || namesFolder(path, JSON.stringify(home).slice(1, -1));
  });
  const there = new Set(listed.map(({ path }) => path));
  const isThere = (path: string) =>
    there.has(path) || there.has(path.replace(/#[^#]*$/, "")) || statSync(path, { throwIfNoEntry: false }) !== undefined;
  const isOld = (one: Indexed) => one.time < since && one.project === home;
  return { gone: indexed.filter((one) => !isThere(one.path) || isOld(one)).map(({ path }) => path), changed };
}

/** Does the start of the file name the folder? Reading every session of the machine would take too long. */
function namesFolder(path: string, home: string): boolean {
  try {
    return readRegular(path, HEAD_BYTES).includes(home);
  } catch {
    return false;
  }
}
