// Arguments of a command: node's own parser, with errors that say what to do.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { didYouMean } from "../config/suggest.js";
import { Failure } from "./failure.js";

export type Options = NonNullable<ParseArgsConfig["options"]>;

export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

export function parseArguments(args: readonly string[], options: Options, command: string): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    });
    return { values: values as Arguments["values"], positionals };
  } catch (error) {
    const unknown = /Unknown option '(-+[^' ]*)/.exec((error as Error).message)?.[1];
    if (unknown) {
      const known = Object.keys(options).map((name) => `--${name}`);
      throw new Failure(`there is no option ${unknown}`, didYouMean(unknown, known) ?? `see compaction ${command} --help`);
    }
    throw new Failure((error as Error).message.replace(/\. .*$/s, ""), `see compaction ${command} --help`);
  }
}

export function oneOf(values: Arguments["values"], name: string, allowed: readonly string[], otherwise: string): string {
  const value = values[name];
  if (value === undefined) return otherwise;
  if (typeof value === "string" && allowed.includes(value)) return value;
  throw new Failure(`--${name} cannot be "${String(value)}"`, didYouMean(String(value), allowed));
}

export function wholeNumber(values: Arguments["values"], name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Failure(`--${name} must be a whole number above 0, not "${String(value)}"`);
}
