// compaction run: sessions in, Continuations or rendered text out.
import { availableParallelism } from "node:os";
import { ALONE_BYTES, SESSIONS_AHEAD } from "../limits.js";
import { type Options, parseArguments, wholeNumber } from "./arguments.js";
import { isOff } from "./extraction.js";
import { EXIT, Failure } from "./failure.js";
import { createPool, inOrder } from "./pool.js";
import { createPrinter } from "./printer.js";
import { rulesFor } from "./rules.js";
import { createWork, failureOf, type Outcome, shownAs, type Unit, unreadable, type Wish } from "./session-work.js";
import { findTemplate } from "./template.js";
import { createProgress } from "./terminal.js";
import { filteredUnits, namedUnits, projectUnit } from "./units.js";

export const help = `compaction run [SESSION...] [--project DIR] [--strict] [--format F] [--template NAME] [--tokens N] [--json | --jsonl] [--jobs N] [--no-cache]

Reads sessions and prints what the next context needs: the brief, unless told otherwise. "-" reads standard input.
A name may have * ? [] {} and ** in it. A file, or standard input, may hold a session on each line.
With a project and no session, its notes and work items are read by themselves, and the continuation is printed.
With --jsonl and neither, it is a filter: a session on each line of standard input, a result on each line of the output.

  --project DIR     the project: its .compactionrc counts, and its notes (SESSION.md) and work items are read
  --strict          exit with 1 when the project's notes lack a required section or hold malformed entries
  --format F        the format of the sessions; told from the content unless given
  --template NAME   what to print: brief (the default), continuation, knowledge, note, structured, or your own
  --tokens N        at most so many tokens, over what the template says
  --json            the typed result; an array when several sessions are named
  --jsonl           the typed result, one line for each session
  --jobs N          sessions that are read at once: as many as there are cores, unless given
  --no-cache        neither look up what was found in a message before, nor store it

With --json and --jsonl, the field "rendered" holds the text when --template is given.
Results come in the order of the sessions. One that cannot be read is said on standard error, and the others go on.
Exit status: 0 done, 1 gaps with --strict, 2 something could not be read.
`;

const options: Options = {
  project: { type: "string" },
  format: { type: "string" },
  template: { type: "string" },
  tokens: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
  jsonl: { type: "boolean" },
  jobs: { type: "string" },
  "no-cache": { type: "boolean" },
};

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, options, "run");
  const project = values.project as string | undefined;
  const filter = positionals.length === 0 && project === undefined && values.jsonl === true;
  if (positionals.length === 0 && project === undefined && !filter)
    throw new Failure("no session is named", 'name a session file, "-" for standard input, or a project with --project');
  if (values.strict && project === undefined) throw new Failure("--strict is about a project", "name it with --project");
  if (values.json && values.jsonl) throw new Failure("--json and --jsonl exclude each other");
  const jobs = wholeNumber(values, "jobs");
  const loaded = rulesFor(project ?? process.cwd());
  if (isOff(loaded)) return EXIT.fine;
  const print = values.jsonl ? "jsonl" : values.json ? "json" : "text";
  const named = values.template as string | undefined;
  const other = print === "text" ? (positionals.length === 0 ? "continuation" : "brief") : undefined;
  const wish: Wish = {
    project,
    format: values.format as string | undefined,
    template: named ?? other,
    tokens: wholeNumber(values, "tokens"),
    print,
    cache: values["no-cache"] !== true,
  };
  if (wish.template !== undefined) findTemplate(wish.template, loaded);

  const progress = createProgress();
  let done = 0;
  const work = createWork(loaded, wish, (unit, part) => progress.step(`${done + 1} ${shownAs(unit) ?? project}${part}`));
  const printer = createPrinter(print, progress.end);
  let failed = false;
  let gaps = 0;
  const units = filter ? filteredUnits() : positionals.length === 0 ? projectUnit() : namedUnits(positionals);
  for await (const outcome of outcomesOf(units, work, wish, jobs)) {
    done++;
    failed ||= outcome.failed;
    gaps += outcome.gaps;
    await printer.print(outcome);
  }
  await printer.end();
  if (failed) return EXIT.couldNotRun;
  return values.strict && gaps > 0 ? EXIT.findings : EXIT.fine;
}

/** Little work is done at once, by itself; for more, workers are started, and at once where their number is given. */
async function* outcomesOf(
  units: AsyncIterable<Unit | Outcome>,
  work: (unit: Unit) => Outcome,
  wish: Wish,
  jobs: number | undefined,
): AsyncIterable<Outcome> {
  const size = jobs ?? availableParallelism();
  let alone = size === 1 ? Number.POSITIVE_INFINITY : jobs === undefined ? ALONE_BYTES : 0;
  const lost = (unit: Unit, error: Error | undefined) => failureOf(unreadable(unit, error), unit.several);
  const pool = createPool<Unit, Outcome>(new URL("./run-worker.js", import.meta.url), wish, size, lost);
  try {
    yield* inOrder(units, size * SESSIONS_AHEAD, async (unit) => {
      if ("out" in unit) return unit;
      const here = alone > 0 || (unit.path === undefined && unit.line === undefined);
      alone -= unit.bytes ?? unit.line?.bytes.length ?? 0;
      return here ? work(unit) : pool.submit(unit);
    });
  } finally {
    await pool.close();
  }
}
