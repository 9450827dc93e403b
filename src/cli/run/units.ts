// Lists the sessions that `run` was given, one at a time.
import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { globSync } from "tinyglobby";
import { SESSION_BYTES } from "../../limits.js";
import { BEGINS_VALUE, isFields } from "../../source/session/parse-json.js";
import { type Chunks, type Input, inputOf, isFile, linesOf } from "../input/input.js";
import { CommandError } from "../output/terminal.js";
import { failedOutcome, type SessionOutcome, type Unit } from "./session-work.js";

/** Sessions in the named files. A file that cannot be found is already an outcome. */
export async function* namedUnits(names: readonly string[]): AsyncIterable<Unit | SessionOutcome> {
  const found = names.map(expand);
  const several = names.length > 1 || found[0]?.length !== 1;
  for (const [index, name] of names.entries()) {
    if (found[index]?.length === 0) yield failedOutcome(new CommandError(`no file is called ${name}`), several);
    for (const path of found[index] ?? [])
      try {
        yield* unitsOf(path, several);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        yield failedOutcome(error, several);
      }
  }
}

/** Expands a pattern that the shell left as it was. A name that exists, or is not a pattern, is returned unchanged. */
function expand(name: string): readonly string[] {
  if (!/[*?[{]/.test(name) || existsSync(name)) return [name];
  // Do not follow links: they may lead back up.
  return globSync(name, { absolute: isAbsolute(name), expandDirectories: false, followSymbolicLinks: false }).sort();
}

async function* unitsOf(path: string, several: boolean): AsyncIterable<Unit> {
  const input = inputOf(path);
  if (await holdsSessionLines(input.open())) yield* lineUnits(input, input.last());
  else yield { ...(isFile(path) ? { path, bytes: statSync(path).size } : { input }), several };
}

/** Every line of standard input, as it arrives. */
export const filteredUnits = () => lineUnits({ shown: "standard input", name: "stdin" }, process.stdin);

export async function* projectUnit(): AsyncIterable<Unit> {
  yield { several: false };
}

async function* lineUnits({ shown, name }: Pick<Input, "shown" | "name">, chunks: Chunks): AsyncIterable<Unit> {
  for await (const { number, bytes } of linesOf(chunks, SESSION_BYTES)) {
    if (!bytes) throw new CommandError(`a line has more than the ${SESSION_BYTES} bytes that are read`);
    yield { line: { shown, name, number, bytes }, several: true };
  }
}

/** Is the first of several lines a session by itself? Formats with one record per line have no such line. */
async function holdsSessionLines(chunks: Chunks): Promise<boolean> {
  let first = true;
  for await (const { bytes } of linesOf(chunks, SESSION_BYTES)) {
    if (!first) return true;
    const value = parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(isFields(value) ? (value.messages ?? value.data) : value)) return false;
    first = false;
  }
  return false;
}

function parse(text: string): unknown {
  if (!BEGINS_VALUE.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
