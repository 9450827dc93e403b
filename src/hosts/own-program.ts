// How a hint tells the user, or a model, to start this program.
import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder, orUndefined, realPath, workingFolder } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { PACK_BYTES } from "../limits.js";
import { shellWord } from "../text/forms.js";
import { asFields } from "../text/json.js";
import { BIN, PACKAGE } from "./setup.js";

const USUAL = `npx ${PACKAGE}`;

/** What a user types to start this program in these folders, by default in the working folder. `npx` looks for a program and for
 * settings in a folder and in those above it, and a clone may bring both. Then the program that runs now is named by its path. */
export function ownProgram(...folders: readonly string[]): string {
  const main = mainFile();
  const places = folders.length > 0 ? folders : [workingFolder() ?? sep];
  return main === undefined || !places.some((place) => divertsNpx(place, main)) ? USUAL : `node ${shellWord(main)}`;
}

/** Help and the texts of templates call it as it is usually started. */
export function withOwnProgram(text: string, ...folders: readonly string[]): string {
  const program = text.includes(PACKAGE) ? ownProgram(...folders) : USUAL;
  return program === USUAL ? text : text.replace(/npx\s+compaction-rules/g, () => program);
}

/** Could `npx` start another program there than it does elsewhere? Whether git tracks what it finds does not matter. */
function divertsNpx(folder: string, main: string): boolean {
  const home = homeFolder();
  const users = home === undefined ? undefined : realPath(home);
  for (let above = realPath(resolve(folder)); ; above = dirname(above)) {
    // The files of the home folder are the user's own.
    if (above !== users && (bringsProgram(above, main) || existsSync(join(above, ".npmrc")) || isPackage(above))) return true;
    if (dirname(above) === above) return false;
  }
}

/** An installed program may be the one that runs now. */
const bringsProgram = (folder: string, main: string): boolean =>
  [BIN, `node_modules/${PACKAGE}`].some((name) => {
    const path = realPath(join(folder, name));
    return existsSync(path) && path !== main && path !== packageOf(main);
  });

const packageOf = (main: string) => dirname(dirname(dirname(main)));

/** `npx` runs a package in whose folder it is started, if the package has a program of the name. */
function isPackage(folder: string): boolean {
  const manifest = orUndefined(() => JSON.parse(readRegular(join(folder, "package.json"), PACK_BYTES).toString("utf8")));
  const { name, bin } = asFields(manifest);
  return name === PACKAGE || Object.hasOwn(asFields(bin), PACKAGE) || (bin !== undefined && String(name).endsWith(`/${PACKAGE}`));
}

/** The start of the command. The program of the plugins is a file of its own beside it. */
function mainFile(): string | undefined {
  const files = ["./cli/main.js", "../../dist/cli/main.js"].map((name) =>
    orUndefined(() => fileURLToPath(new URL(name, import.meta.url))),
  );
  const found = files.find((file) => file !== undefined && existsSync(file));
  return found === undefined ? undefined : realPath(found);
}
