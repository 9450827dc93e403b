// compaction run: sessions in, Continuations or rendered text out.
import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { globSync } from "tinyglobby";
import { SESSION_BYTES } from "../../limits.js";
import { BEGINS_VALUE } from "../../source/session/parse-json.js";
import { isFields, parseJson } from "../../text/json.js";
import { type Arguments, wholeNumber } from "../input/arguments.js";
import { type Chunks, type Input, inputOf, isFile, linesOf } from "../input/open-session.js";
import { findTemplate, isOff, rulesFor } from "../input/project.js";
import { CommandError, createProgress, EXIT, print, warn } from "../output/terminal.js";
import { inParallel } from "./pool.js";
import { createWork, failure, lostOutcome, type RunOptions, type SessionOutcome, type Unit, unitName } from "./session-work.js";

export async function run(given: Arguments): Promise<number> {
  const { values, flags, positionals } = given;
  const { project, format, template } = values;
  const filter = positionals.length === 0 && project === undefined && flags.jsonl === true;
  if (positionals.length === 0 && project === undefined && !filter)
    throw new CommandError("no session is named", 'name a session file, "-" for standard input, or a project with --project');
  if (flags.strict && project === undefined) throw new CommandError("--strict needs a project", "name it with --project");
  if (flags.json && flags.jsonl) throw new CommandError("--json and --jsonl cannot be used together");
  const jobs = wholeNumber(given, "jobs");
  const loaded = rulesFor(project ?? process.cwd());
  if (isOff(loaded)) return EXIT.fine;
  const print = flags.jsonl ? "jsonl" : flags.json ? "json" : "text";
  const other = print === "text" ? (positionals.length === 0 ? "continuation" : "brief") : undefined;
  const options: RunOptions = { project, format, template: template ?? other, tokens: wholeNumber(given, "tokens"), print };
  if (options.template !== undefined) findTemplate(options.template, loaded);

  const progress = createProgress();
  let done = 0;
  const work = createWork(loaded, options, (unit, part) => progress.step(`${done + 1} ${unitName(unit) ?? project}${part}`));
  const printer = createPrinter(print, progress.end);
  let failed = false;
  let gaps = 0;
  const units = filter ? filteredUnits() : positionals.length === 0 ? projectUnit() : namedUnits(positionals);
  for await (const outcome of outcomesOf(units, work, options, jobs)) {
    done++;
    failed ||= outcome.failed;
    gaps += outcome.gaps;
    printer.print(outcome);
  }
  printer.end();
  if (failed) return EXIT.couldNotRun;
  return flags.strict && gaps > 0 ? EXIT.findings : EXIT.fine;
}

type Given = Unit | SessionOutcome;

function outcomesOf(units: AsyncIterable<Given>, work: (unit: Unit) => SessionOutcome, data: RunOptions, jobs?: number) {
  return inParallel<Given, SessionOutcome>(units, {
    worker: "run-worker",
    data,
    jobs,
    work: (unit) => ("out" in unit ? unit : work(unit)),
    bytesOf: (unit) => ("out" in unit || !(unit.path ?? unit.line) ? undefined : (unit.bytes ?? unit.line?.bytes.length ?? 0)),
    lost: (unit, error) => ("out" in unit ? unit : lostOutcome(unit, error)),
  });
}

function createPrinter(form: RunOptions["print"], clear: () => void) {
  let printed = 0;
  let several = false;

  return {
    print(outcome: SessionOutcome): void {
      clear();
      several ||= outcome.several;
      if (outcome.out !== "") {
        print(form === "json" && several ? entry(outcome.out, printed === 0) : outcome.out);
        printed++;
      }
      warn(outcome.notes);
    },
    end(): void {
      clear();
      if (form !== "json") return;
      if (several) print(printed === 0 ? "[]\n" : "\n]\n");
      else if (printed > 0) print("\n");
    },
  };
}

const entry = (document: string, first: boolean) => `${first ? "[" : ","}\n  ${document.replaceAll("\n", "\n  ")}`;

/** Sessions in the named files. A file that cannot be found is already an outcome. */
async function* namedUnits(names: readonly string[]): AsyncIterable<Unit | SessionOutcome> {
  const found = names.map(expand);
  const several = names.length > 1 || found[0]?.length !== 1;
  for (const [index, name] of names.entries()) {
    if (found[index]?.length === 0) yield failure(new CommandError(`no file is called ${name}`), several);
    for (const path of found[index] ?? [])
      try {
        yield* unitsOf(path, several);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        yield failure(error, several);
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

const filteredUnits = () => lineUnits({ shown: "standard input", name: "stdin" }, process.stdin);

async function* projectUnit(): AsyncIterable<Unit> {
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
  let first: string | undefined;
  for await (const { bytes } of linesOf(chunks, SESSION_BYTES)) {
    if (first === undefined) {
      first = new TextDecoder().decode(bytes);
      continue;
    }
    const value = BEGINS_VALUE.test(first) ? parseJson(first) : undefined;
    return Array.isArray(isFields(value) ? (value.messages ?? value.data) : value);
  }
  return false;
}
