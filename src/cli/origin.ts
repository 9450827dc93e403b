// Where something comes from, as a reader knows it: a built-in pack by its name, a file by its path.
import { relative } from "node:path";
import { rulesFolder } from "../config/built-in.js";
import { BUILT_IN } from "../config/load.js";
import type { Position } from "../diagnostics.js";
import { shownPath } from "./reporters/report.js";

/** @param base the folder from which files are named; the working directory unless given */
export function originName(file: string, base?: string): string {
  if (file.startsWith(rulesFolder)) return BUILT_IN + relative(rulesFolder, file).replace(/\.yaml$/, "");
  return base === undefined ? shownPath(file) : relative(base, file).replaceAll("\\", "/");
}

export function originPlace({ file, line, column }: Position): string {
  return `${originName(file)}:${line}:${column}`;
}
