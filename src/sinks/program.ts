// Finds the memory program: as configured, else where MAENIFOLD_ROOT says, else on the PATH. No shell looks for it.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { homeFolder } from "../home-folder.js";
import { reasonOf } from "./sink.js";

const PROGRAM = process.platform === "win32" ? "maenifold.exe" : "maenifold";

export interface FoundProgram {
  /** Links resolved: what was looked at is what runs. */
  readonly file: string;
  /** As it was found: a program that serves several names goes by it. */
  readonly name: string;
}

/** @returns the program, or why there is none */
export function findProgram(
  command: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): FoundProgram | string {
  // What is configured is meant: nothing else is run in its place.
  if (command !== undefined) return examine(command);
  for (const candidate of candidates(environment)) {
    const found = examine(candidate);
    if (typeof found !== "string") return found;
  }
  return `${PROGRAM} is neither in MAENIFOLD_ROOT nor on the PATH`;
}

/** A relative place would depend on the folder that the host happens to be in. */
function candidates({ MAENIFOLD_ROOT = "", PATH = "" }: Readonly<Record<string, string | undefined>>): readonly string[] {
  const root = MAENIFOLD_ROOT.replace(/^~(?=[/\\]|$)/, homeFolder() ?? "~");
  // The variable names the program by its specification, and the folder of its data by its documentation.
  const named = [root, join(root, "bin", PROGRAM), join(root, PROGRAM)];
  // Who starts an agent by npm has the programs of the project on his PATH.
  const folders = PATH.split(delimiter).filter((folder) => !folder.split(/[/\\]/).includes("node_modules"));
  return [...(root === "" ? [] : named), ...folders.map((folder) => join(folder, PROGRAM))].filter(isAbsolute);
}

function examine(name: string): FoundProgram | string {
  try {
    const file = realpathSync(name);
    if (!statSync(file).isFile()) return `${name} is not a file`;
    accessSync(file, constants.X_OK);
    return { file, name };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "ENOENT") return `${name} is not there`;
    return reason === "EACCES" ? `${name} may not be executed` : `${name} cannot be looked at (${reason})`;
  }
}
