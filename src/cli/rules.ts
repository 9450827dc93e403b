// The rules for a command that uses them: findings that forbid running end it.
import { statSync } from "node:fs";
import { type LoadedRules, loadRules } from "../rules/load.js";
import { Failure } from "./failure.js";
import { warn } from "./print.js";
import { report, shownPath } from "./reporters/report.js";
import { textsOf } from "./texts.js";

export function rulesFor(folder: string): LoadedRules {
  requireFolder(folder);
  const loaded = loadRules(folder);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    warn(report(errors, "pretty", textsOf([loaded])));
    const [first] = errors;
    throw new Failure(
      `${first?.at ? shownPath(first.at.file) : "the configuration"} cannot be used`,
      "mend what is said above, or check with compaction validate",
    );
  }
  return loaded;
}

export function requireFolder(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new Failure(`${path} is not a folder`, "--project names the folder of a project");
  return path;
}
