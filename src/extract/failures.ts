// Which command lines failed, and which of them a later line passed, in the same words or by running the same programs.
import { stripVTControlCharacters } from "node:util";
import { BROKE_CHARACTERS, OUTPUT_CHARACTERS, RUNS_OF_JOB } from "../limits.js";
import type { Command, Failure } from "../model.js";
import type { Phrase } from "../rules/phrase.js";
import { mayOccur } from "../rules/phrase-look.js";
import { matchPhrase, type Span } from "../rules/phrase-match.js";
import { remember } from "../rules/remember.js";
import type { Program, Tool } from "../rules/tool-set.js";
import { toWords, type Words } from "../rules/words.js";
import { isSameRun, type Run, type Runs, readRuns } from "./runs.js";

/** A command line, and whether its output says that what ran passed. */
export interface Ran extends Command {
  readonly saysPassed: () => boolean;
  /** That it failed is told by its output only. */
  readonly told: boolean;
}

type Pass = NonNullable<Failure["passed"]>;

export function toFailures(commands: readonly Ran[], programs: readonly Program[]): readonly Failure[] {
  if (!commands.some(({ status }) => status === "failed")) return [];
  const runsOf = remember((line) => readRuns(line, programs));
  const failures: Failure[] = [];
  // Backwards, so that the run that ended a failure is known.
  const lines = new Map<string, Pass>();
  const runs = new Map<string, { readonly run: Run; readonly pass: Pass }[]>();
  const keyOf = (run: Run) => run.job?.name ?? run.command;
  const note = (run: Run, pass: Pass) => {
    const same = (runs.get(keyOf(run)) ?? []).filter((one) => one.run.folder !== run.folder || one.run.command !== run.command);
    runs.set(keyOf(run), [...same.slice(1 - RUNS_OF_JOB), { run, pass }]);
  };
  /** Where the last of what may have failed is known to pass. */
  const passOf = (suspects: readonly Run[]): Pass | undefined => {
    const passes = suspects.map((run) => runs.get(keyOf(run))?.findLast((one) => isSameRun(one.run, run))?.pass);
    return passes.every((pass) => pass !== undefined) ? passes.at(-1) : undefined;
  };
  // What ran again without a word on how it ended: what only an output told before may be over.
  const again = new Map<string, readonly Run[]>();
  const mayBeOver = (suspects: readonly Run[]) =>
    suspects.some((run) => again.get(keyOf(run))?.some((later) => isSameRun(later, run)));
  const times = new Map<string, number>();
  for (const { command, status } of commands) if (status === "failed") times.set(command, (times.get(command) ?? 0) + 1);
  const failing = new Map<string, readonly Run[]>();
  const shown = new Set<string>();
  /** A single slip of what is no job is nothing to pass on, and of failures of the same job the last tells. */
  const isMinor = (line: string, jobs: readonly Run[]): boolean => {
    if (shown.has(line)) return false;
    if (jobs.length === 0) return times.get(line) === 1;
    return jobs.every((run) => failing.get(keyOf(run))?.some((later) => isSameRun(later, run)));
  };
  for (const { command, status, source, tool, saysPassed, told } of [...commands].reverse()) {
    if (status === "failed") {
      const suspects = told ? jobsTold(runsOf(command)) : runsOf(command).suspects;
      const jobs = suspects.filter(({ job }) => job);
      const passed = lines.get(command) ?? passOf(jobs.length > 0 ? jobs : suspects);
      const minor = !passed && ((told && mayBeOver(jobs)) || isMinor(command, jobs));
      if (!passed && !minor) shown.add(command);
      // One that was covered says no more than the one that covers it.
      if (!passed && !minor) for (const run of jobs) failing.set(keyOf(run), nearest(failing.get(keyOf(run)), run));
      failures.push({
        command,
        source,
        tool,
        resolved: passed !== undefined,
        ...(passed && { passed }),
        ...(minor && { minor }),
      });
      continue;
    }
    const { all, proven, shown: only } = runsOf(command);
    if (status === "passed") {
      lines.set(command, { source, tool });
      for (const run of proven) note(run, { source, tool });
    }
    if (only && !(status === "passed" && proven.includes(only)) && saysPassed()) note(only, { source, tool });
    for (const run of all) {
      const before = again.get(keyOf(run)) ?? [];
      if (!before.some((later) => isSameRun(later, run))) again.set(keyOf(run), nearest(before, run));
    }
  }
  return failures.reverse();
}

const nearest = (before: readonly Run[] = [], run: Run) => [...before.slice(1 - RUNS_OF_JOB), run];

/** The command lines that failed last and that somebody should hear of, in the order in which they failed. */
export const stillFailing = (errors: readonly Failure[]): readonly string[] => [
  ...new Set(errors.filter(({ resolved, minor }) => !resolved && !minor).map(({ command }) => command)),
];

/** Is a failure of the line one of a job? */
export const isJob = (line: string, programs: readonly Program[]): boolean =>
  readRuns(line, programs).suspects.some(({ job }) => job);

/** The jobs of which the output may tell that they failed; a commit's tells what it commits. */
const jobsTold = ({ suspects, shown }: Runs): readonly Run[] =>
  (shown ? [shown] : suspects).filter(({ job }) => job && !job.program.history);

/** Does the line run a job whose result the line's own, if there is one, leaves open? */
export function leavesOpen(line: string, status: Command["status"], programs: readonly Program[]): boolean {
  const runs = readRuns(line, programs);
  const keyOf = ({ command, folder }: Run) => `${folder}\n${command}`;
  const proven = new Set(runs.proven.map(keyOf));
  const isProven = (run: Run) => proven.has(keyOf(run));
  return jobsTold(runs).some((run) => status === "unknown" || !isProven(run));
}

/** What a job prints last tells whether it failed. Hosts may repeat the line there. */
export function saysBroke(output: string, line: string, { broke, passed }: Tool): boolean {
  if (broke.length === 0) return false;
  const end = stripVTControlCharacters(output.slice(-BROKE_CHARACTERS));
  const may = broke.filter((phrase) => mayOccur(phrase, end));
  if (may.length === 0) return false;
  const words = toWords(end);
  const good = passed.flatMap((phrase) => matches(phrase, words));
  const isTold = (bad: Span) =>
    !good.some((span) => overlap(span, bad)) && !line.includes(end.slice(words.start[bad.from], words.end[bad.to - 1]));
  return may.some((phrase) => matches(phrase, words).some(isTold));
}

const overlap = (a: Span, b: Span) => a.from < b.to && b.from < a.to;

/** Of an output that may be cut the end is not known, and there it stands. */
export function saysPassed(output: string, { passed, faulty }: Tool): boolean {
  if (passed.length === 0 || output.length >= OUTPUT_CHARACTERS) return false;
  const words = toWords(output);
  const good = passed.flatMap((phrase) => matches(phrase, words));
  const isGood = (bad: Span) => good.some((span) => overlap(span, bad));
  return good.length > 0 && faulty.every((phrase) => matches(phrase, words).every(isGood));
}

function matches(phrase: Phrase, words: Words): readonly Span[] {
  const found: Span[] = [];
  for (let from = 0; ; ) {
    const match = matchPhrase(phrase, words, from);
    if (!match) return found;
    found.push(match);
    from = Math.max(match.to, match.from + 1);
  }
}
