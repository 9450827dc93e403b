// Where the package of this program is, and what a package manager can install it from.
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PACK_BYTES } from "../limits.js";
import { orUndefined } from "./folders.js";
import { readRegular } from "./regular-file.js";

export const PACKAGE = "compaction-rules";
/** The plugin of OpenCode: one file that needs no other. */
export const SERVER = "dist/server.js";

/** Does the folder hold our package? */
export const isOwnPackage = (folder: string): boolean =>
  orUndefined(() => JSON.parse(readRegular(join(folder, "package.json"), PACK_BYTES).toString("utf8")).name === PACKAGE) === true;

/** Undefined for a file of the package that was copied elsewhere. */
export function ownFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (isOwnPackage(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The folder of npx's cache, which npm may empty at any time. */
const PASSING = `${sep}_npx${sep}`;

/** The folder to install from. Undefined if it does not stay; then the package came from a registry, and has a name there. */
export function lastingFolder(): string | undefined {
  const folder = ownFolder();
  return folder?.includes(PASSING) ? undefined : folder;
}
