// Writes the first files of a project or of a package, and says what to do next.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { rulesFolder } from "../../config/load-pack.js";
import { isFolder } from "../../files/folders.js";
import { replaceFile } from "../../files/regular-file.js";
import { shownPath } from "../output/report.js";
import { CommandError, coloursOf, say } from "../output/terminal.js";

export const shown = (project: string, file: string) => (project === "." ? file : join(project, file).replaceAll("\\", "/"));

/** Fills in a file template, which is data beside the rules. The line for a schema is left out if there is none. */
export function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  const text = readFileSync(join(rulesFolder, "init", template), "utf8");
  const kept = values.schema === undefined ? text.replace(/^.*\{\{schema\}\}.*\n/m, "") : text;
  return kept.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
}

/** Writes all files or none: after a failure, those already written are removed. */
export function writeAll(files: readonly { readonly file: string; readonly text: string }[]): void {
  const made: string[] = [];
  for (const { file, text } of files)
    try {
      const folder = dirname(file);
      if (!existsSync(folder)) {
        mkdirSync(folder);
        made.unshift(folder);
      }
      if (!isFolder(folder)) throw new CommandError(`${shownPath(folder)} is a file, not a folder: nothing was written`);
      replaceFile(file, text);
      made.unshift(file);
    } catch (error) {
      for (const path of made) rmSync(path, { recursive: true });
      if (error instanceof CommandError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandError(`${shownPath(file)} cannot be written (${code}): nothing was written`);
    }
}

/** @param steps commands, each with what it does */
export function sayWritten(
  files: readonly string[],
  notes: readonly string[],
  steps: readonly (readonly [string, string])[],
): void {
  const { green, dim } = coloursOf();
  const width = Math.max(...steps.map(([command]) => command.length));
  const next = steps.map(([command, what]) => `  ${command.padEnd(width)}   ${dim(what)}`);
  say([...files.map((file) => `${green("wrote")} ${file}`), ...notes, "", "Next:", ...next, ""].join("\n"));
}
