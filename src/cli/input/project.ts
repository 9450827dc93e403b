// The rules and choices of the project that a command works for. Errors in the configuration end the command.

import { statSync } from "node:fs";
import type { OtherPacks } from "../../config/extended-packs.js";
import type { ByHand } from "../../extract/settle/by-hand.js";
import { ownProgram } from "../../hosts/own-program.js";
import { type LoadedRules, loadRules, ownRules } from "../../rules/load-rules.js";
import type { Template } from "../../rules/rule-set.js";
import { chosenIn, readChoices } from "../../state/choices.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { effective } from "../effective.js";
import { originPlace, report, shownPath, textsOf } from "../output/report.js";
import { CommandError, warn } from "../output/terminal.js";

export const rulesFor = (folder: string, others?: OtherPacks): LoadedRules => usable(loadRules(requireFolder(folder), others));

/** Reports errors, which end the command. */
export function usable(loaded: LoadedRules): LoadedRules {
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    warn(report(errors, "pretty", textsOf([loaded])));
    const file = errors[0]?.at?.file;
    const hint = `fix the errors above, or check with ${ownProgram()} validate`;
    throw new CommandError(`${file === undefined ? "the configuration" : shownPath(file)} cannot be used`, hint);
  }
  return loaded;
}

export function requireFolder(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new CommandError(`${path} is not a folder`, "--project names the folder of a project");
  return path;
}

export function findTemplate(name: string, loaded: LoadedRules): Template {
  const { templates } = loaded.rules;
  const template = templates.get(name);
  if (template) return template;
  const off = effective("templates", loaded).find(({ id, on }) => id === name && !on);
  if (off) throw new CommandError(`the template "${name}" is switched off`, `at ${originPlace(off.at)}`);
  const builtIn = ownRules().templates.has(name);
  const hint = builtIn ? "it is built in: extend compaction:recommended" : didYouMean(name, templates.keys());
  throw new CommandError(`there is no template "${name}"`, hint);
}

export function choicesFor(folder: string): ByHand {
  const { choices, broken } = readChoices(folder);
  if (broken !== undefined) warn(`note: ${broken}; pins and drops are not used\n`);
  return chosenIn(choices);
}

export const SWITCHED_OFF = "switched off, by enabled: false in .compactionrc or by COMPACTION_RULES=off";

export function isOff({ enabled }: LoadedRules): boolean {
  if (!enabled) warn(`compaction: ${SWITCHED_OFF}\n`);
  return !enabled;
}
