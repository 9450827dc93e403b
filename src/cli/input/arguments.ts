// What a command starts with: its arguments, and the user's state folder.

import { parseArgs } from "node:util";
import { withOwnProgram } from "../../hosts/own-program.js";
import { BrokenChoicesError } from "../../state/choices.js";
import { whenFree } from "../../state/lock.js";
import { stateFolder } from "../../state/state.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { CommandError } from "../output/terminal.js";

export type Arguments = ReturnType<typeof parseArguments>;

/** Lines such as `  --project DIR     the folder` declare an option. It takes a value if a word in capitals follows. */
const DECLARED = /^ {2}--([a-z-]+)( [A-Z]+)?/gm;

/** Parses the arguments with Node's parser. The help text declares the options. */
export function parseArguments(args: readonly string[], help: string) {
  const [command = ""] = /^npx compaction-rules \w+/.exec(help) ?? [];
  const options = Object.fromEntries(
    [...help.matchAll(DECLARED)].map(([, name = "", value]) => [name, { type: value ? "string" : "boolean" } as const]),
  );
  try {
    const all = { ...options, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options: all, allowPositionals: true, strict: true });
    const given = Object.entries<string | boolean | undefined>(values);
    const texts = given.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
    const flags = given.flatMap(([name, value]) => (value === true ? [[name, value] as const] : []));
    return { values: Object.fromEntries(texts), flags: Object.fromEntries(flags), positionals };
  } catch (error) {
    const unknown = /Unknown option '(-+[^' ]*)/.exec((error as Error).message)?.[1];
    const hint = withOwnProgram(`see ${command} --help`);
    if (unknown === undefined) throw new CommandError((error as Error).message.replace(/\. .*$/s, ""), hint);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new CommandError(`there is no option ${unknown}`, didYouMean(unknown, known) ?? hint);
  }
}

export function oneSession([path, ...more]: readonly string[]): string {
  if (path === undefined || more.length > 0) throw new CommandError("name one session", 'a file, or "-" for standard input');
  return path;
}

/** Standard input can be read once. */
export function forbidTwice(path: string, other: string | undefined): void {
  if (path === "-" && other === "-") throw new CommandError("standard input cannot be both", "name a file for one of the two");
}

export function noPositional([first]: readonly string[], command: string): void {
  if (first !== undefined) throw new CommandError(`${command} takes no "${first}"`, "--project names the folder");
}

type Values = Pick<Arguments, "values">;

export function oneOf({ values }: Values, name: string, allowed: readonly string[], otherwise: string): string {
  const value = values[name];
  if (value === undefined) return otherwise;
  if (allowed.includes(value)) return value;
  throw new CommandError(`--${name} cannot be "${value}"`, didYouMean(value, allowed));
}

export function wholeNumber({ values }: Pick<Arguments, "values">, name: string, least = 1): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new CommandError(`--${name} must be a whole number above ${least - 1}, not "${value}"`);
}

const DAY_MILLISECONDS = 86_400_000;

/** A date, or so many days ago. */
export function dateIn({ values }: Pick<Arguments, "values">, name: string): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const [, days] = /^(\d{1,5})d$/.exec(value) ?? [];
  const time = days === undefined ? Date.parse(value) : Date.now() - Number(days) * DAY_MILLISECONDS;
  if (Number.isNaN(time)) throw new CommandError(`--${name} ${value} is not a date`, "write it like 2026-11-01, or 30d");
  return new Date(time).toISOString();
}

// Works in the user's state folder. If that fails, the error says what to do.

export const OTHER_FOLDER = "XDG_STATE_HOME names another folder";

export async function inStateFolder<T>(work: () => T): Promise<T> {
  try {
    return await whenFree(work);
  } catch (error) {
    const hint = "fix the file, or move it away: it contains your pins and drops";
    if (error instanceof BrokenChoicesError) throw new CommandError(`${error.message}; nothing is changed`, hint);
    // Plain errors come from the system or the store; any other class is a bug.
    if (!(error instanceof Error) || error.name !== "Error" || error instanceof CommandError) throw error;
    if (stateFolder() === undefined) throw new CommandError(`nothing can be stored: ${error.message}`, OTHER_FOLDER);
    throw new CommandError(`the state folder ${stateFolder()} cannot be used: ${error.message}`, OTHER_FOLDER);
  }
}
