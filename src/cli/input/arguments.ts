// What a command starts with: its arguments, and the rules and choices of its project.
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ByHand } from "../../extract/by-hand.js";
import { builtInRules, type LoadedRules, loadRules } from "../../rules/load-rules.js";
import type { Template } from "../../rules/rule-set.js";
import { BrokenChoicesError, chosenIn, readChoices } from "../../state/choices.js";
import { whenFree } from "../../state/lock.js";
import { stateFolder } from "../../state/state.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { effective } from "../effective.js";
import { originPlace, report, shownPath, textsOf } from "../output/report.js";
import { CommandError, warn } from "../output/terminal.js";

export type Arguments = ReturnType<typeof parseArguments>;

/** Lines such as `  --project DIR     the folder` declare an option. It takes a value if a word in capitals follows. */
const DECLARED = /^ {2}--([a-z-]+)( [A-Z]+)?/gm;
/** Accepted and ignored: earlier versions had a cache. */
const IGNORED = { "no-cache": { type: "boolean" } } as const;

/** Parses the arguments with Node's parser. The help text declares the options. */
export function parseArguments(args: readonly string[], help: string) {
  const [command = ""] = /^npx compaction-rules \w+/.exec(help) ?? [];
  const options = Object.fromEntries(
    [...help.matchAll(DECLARED)].map(([, name = "", value]) => [name, { type: value ? "string" : "boolean" } as const]),
  );
  try {
    const all = { ...options, ...IGNORED, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options: all, allowPositionals: true, strict: true });
    const given = Object.entries<string | boolean | undefined>(values);
    const texts = given.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
    const flags = given.flatMap(([name, value]) => (value === true ? [[name, value] as const] : []));
    return { values: Object.fromEntries(texts), flags: Object.fromEntries(flags), positionals };
  } catch (error) {
    const unknown = /Unknown option '(-+[^' ]*)/.exec((error as Error).message)?.[1];
    const hint = `see ${command} --help`;
    if (unknown === undefined) throw new CommandError((error as Error).message.replace(/\. .*$/s, ""), hint);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new CommandError(`there is no option ${unknown}`, didYouMean(unknown, known) ?? hint);
  }
}

export function oneSession([path, ...more]: readonly string[]): string {
  if (path === undefined || more.length > 0) throw new CommandError("name one session", 'a file, or "-" for standard input');
  return path;
}

export function noPositional([first]: readonly string[], command: string): void {
  if (first !== undefined) throw new CommandError(`${command} takes no "${first}"`, "--project names the folder");
}

export function oneOf(
  { values }: Pick<Arguments, "values">,
  name: string,
  allowed: readonly string[],
  otherwise: string,
): string {
  const value = values[name];
  if (value === undefined) return otherwise;
  if (allowed.includes(value)) return value;
  throw new CommandError(`--${name} cannot be "${value}"`, didYouMean(value, allowed));
}

export function wholeNumber({ values }: Pick<Arguments, "values">, name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new CommandError(`--${name} must be a whole number above 0, not "${value}"`);
}

// The rules and choices of a project. Errors in the configuration end the command.

export function rulesFor(folder: string): LoadedRules {
  requireFolder(folder);
  const loaded = loadRules(folder);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    warn(report(errors, "pretty", textsOf([loaded])));
    const [first] = errors;
    throw new CommandError(
      `${first?.at ? shownPath(first.at.file) : "the configuration"} cannot be used`,
      "fix the errors above, or check with npx compaction-rules validate",
    );
  }
  return loaded;
}

export function requireFolder(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new CommandError(`${path} is not a folder`, "--project names the folder of a project");
  return path;
}

// Finds a template by name.

export function findTemplate(name: string, loaded: LoadedRules): Template {
  const { templates } = loaded.rules;
  const template = templates.get(name);
  if (template) return template;
  const off = effective("templates", loaded).find(({ id, on }) => id === name && !on);
  if (off) throw new CommandError(`the template "${name}" is switched off`, `at ${originPlace(off.at)}`);
  const builtIn = builtInRules().rules.templates.has(name);
  const hint = builtIn ? "it is built in: extend compaction:recommended" : didYouMean(name, templates.keys());
  throw new CommandError(`there is no template "${name}"`, hint);
}

// Works in the user's state folder. If that fails, the error says what to do.

export const OTHER_FOLDER = "XDG_STATE_HOME names another folder";

export async function inStateFolder<T>(work: () => T): Promise<T> {
  try {
    return await whenFree(work);
  } catch (error) {
    if (error instanceof BrokenChoicesError)
      throw new CommandError(
        `${error.message}; nothing is changed`,
        "fix the file, or move it away: it contains your pins and drops",
      );
    // Plain errors come from the system or the store; any other class is a bug.
    if (!(error instanceof Error) || error.name !== "Error" || error instanceof CommandError) throw error;
    if (stateFolder() === undefined) throw new CommandError(`nothing can be stored: ${error.message}`, OTHER_FOLDER);
    throw new CommandError(`the state folder ${stateFolder()} cannot be used: ${error.message}`, OTHER_FOLDER);
  }
}

// The user's pins and drops in a project, for a command that reads sessions.

export function choicesFor(folder: string): ByHand {
  const { choices, broken } = readChoices(folder);
  if (broken !== undefined) warn(`note: ${broken}; pins and drops are not used\n`);
  return chosenIn(choices);
}

/** Prints a message on standard error if everything is switched off. */
export function isOff({ enabled }: LoadedRules): boolean {
  if (!enabled) warn("compaction: switched off, by enabled: false in .compactionrc or by COMPACTION_RULES=off\n");
  return !enabled;
}
