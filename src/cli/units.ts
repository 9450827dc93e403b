// The sessions that `run` was given, one at a time.
import { statSync } from "node:fs";
import { Failure } from "./failure.js";
import { expand } from "./glob.js";
import { type Input, inputOf, isFile, STANDARD_INPUT } from "./input.js";
import { holdsSessionLines, type Line, linesFrom, linesIn } from "./session-lines.js";
import { failureOf, type Outcome, type Unit } from "./session-work.js";

/** Files by their names; what cannot be found is an outcome already. */
export async function* namedUnits(names: readonly string[]): AsyncIterable<Unit | Outcome> {
  const several = names.length > 1 || names.some((name) => attempt(() => expand(name))?.length !== 1);
  for (const name of names) {
    try {
      for (const path of name === STANDARD_INPUT ? [name] : expand(name)) yield* unitsOf(path, several);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      yield failureOf(error, several);
    }
  }
}

function* unitsOf(path: string, several: boolean): Iterable<Unit | Outcome> {
  try {
    const input = inputOf(path);
    if (holdsSessionLines(input.open())) for (const line of linesIn(input.last())) yield lineUnit(input, line);
    else yield { ...(isFile(path) ? { path, bytes: statSync(path).size } : { input }), several };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield failureOf(error, several);
  }
}

/** Every line of standard input, as it comes. */
export async function* filteredUnits(): AsyncIterable<Unit> {
  const input = { shown: "standard input", name: "stdin" };
  for await (const line of linesFrom(process.stdin)) yield lineUnit(input, line);
}

export async function* projectUnit(): AsyncIterable<Unit> {
  yield { several: false };
}

const lineUnit = ({ shown, name }: Pick<Input, "shown" | "name">, { number, bytes }: Line): Unit => ({
  line: { shown, name, number, bytes },
  several: true,
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
