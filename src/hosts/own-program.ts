// How a hint tells the user, or a model, to start this program.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder, orUndefined, realPath, workingFolder } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { PACK_BYTES } from "../limits.js";
import { shellWord } from "../text/forms.js";
import { asFields, isFields } from "../text/json.js";
import { BIN, PACKAGE } from "./setup.js";

const USUAL = `npx ${PACKAGE}`;

/** What a user types to start this program in these folders, by default in the working folder. `npx` looks for a program and for
 * settings in a folder and in those above it, and a clone may bring both. Then the program that runs now is named by its path. */
export function ownProgram(...folders: readonly string[]): string {
  const main = mainFile();
  const places = folders.length > 0 ? folders : [workingFolder() ?? sep];
  if (!places.some((place) => divertsNpx(place, main))) return USUAL;
  // A copy of a plugin does not know where the program is, and a shell finds it on the path.
  return main === undefined ? PACKAGE : `node ${shellWord(main)}`;
}

/** Help and the texts of templates call it as it is usually started. */
export function withOwnProgram(text: string, ...folders: readonly string[]): string {
  const program = text.includes(PACKAGE) ? ownProgram(...folders) : USUAL;
  return program === USUAL ? text : text.replace(/npx\s+compaction-rules/g, () => program);
}

/** Could `npx` start another program there than it does elsewhere? Whether git tracks what it finds does not matter. */
function divertsNpx(folder: string, main: string | undefined): boolean {
  const home = homeFolder();
  const users = home === undefined ? undefined : realPath(home);
  for (let above = realPath(resolve(folder)); ; above = dirname(above)) {
    // The files of the home folder are the user's own.
    if (above !== users && (bringsProgram(above, main) || existsSync(join(above, ".npmrc")) || isPackage(above))) return true;
    if (dirname(above) === above) return false;
  }
}

/** An installed program may be the one that runs now. */
const bringsProgram = (folder: string, main: string | undefined): boolean =>
  [BIN, `node_modules/${PACKAGE}`].some((name) => {
    const path = realPath(join(folder, name));
    return existsSync(path) && (main === undefined || (path !== main && path !== packageOf(main)));
  });

const packageOf = (main: string) => dirname(dirname(dirname(main)));

/** `npx` runs a package in whose folder it is started, if the package has a program of the name. */
function isPackage(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return false;
  const manifest: unknown = orUndefined(() => JSON.parse(readRegular(file, PACK_BYTES).toString("utf8")));
  // npm may read what cannot be read here.
  if (!isFields(manifest)) return true;
  const { name, bin, directories } = manifest;
  if (asFields(directories).bin !== undefined) return true;
  return isFields(bin) ? Object.hasOwn(bin, PACKAGE) : bin !== undefined && String(name).split("/").at(-1) === PACKAGE;
}

/** The start of the command, if this file is where the build or a test puts it. A copy elsewhere may have any file beside it. */
function mainFile(): string | undefined {
  const file = orUndefined(() => fileURLToPath(import.meta.url)) ?? "";
  const folders = [dirname(file), dirname(dirname(file))];
  const root = folders.find((folder) => /^(?:dist|src|\.compiled-\w+)$/.test(basename(folder)));
  const main = root === undefined ? undefined : join(dirname(root), "dist/cli/main.js");
  return main !== undefined && existsSync(main) ? realPath(main) : undefined;
}
