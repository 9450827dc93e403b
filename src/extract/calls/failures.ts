// Finds the command lines that failed, and which of them passed later: the same line, or one that runs the same programs.
import { stripVTControlCharacters } from "node:util";
import { OUTPUT_CHARACTERS, OUTPUT_END_CHARACTERS } from "../../limits.js";
import type { Command, Failure } from "../../model.js";
import { matchPhrase, type Span } from "../../rules/phrase/match-phrase.js";
import { mayOccur, type Phrase } from "../../rules/phrase/phrase.js";
import type { Program, Tool } from "../../rules/tool-set.js";
import { remember } from "../../text/remember.js";
import { toWords, type Words } from "../../text/words.js";
import { isSameRun, type ProgramRun, type Runs, readRuns } from "./runs.js";

/** How many later runs of one job, the nearest, are compared with its failure: each may cover other files. */
const RUNS_OF_JOB = 64;

/** Characters at the end of an output in which a job says that it failed: its summary and its runner's. No more are kept. */
const BROKE_CHARACTERS = OUTPUT_END_CHARACTERS;

/** A command line, and whether its output says that it passed. */
export interface Ran extends Command {
  readonly saysPassed: () => boolean;
  /** Only its output says that it failed. */
  readonly told: boolean;
}

type Pass = NonNullable<Failure["passed"]>;

/** @param earlier failures remembered from before the session's messages were compacted */
export function toFailures(
  commands: readonly Ran[],
  programs: readonly Program[],
  earlier: readonly Failure[] = [],
): readonly Failure[] {
  const open = earlier.filter(({ resolved }) => !resolved);
  const known = open.map((one): Ran => ({ ...one, status: "failed", saysPassed: () => false, told: false }));
  const failures = failuresOf([...known, ...commands], programs);
  const settled = new Map(open.map((one, index) => [one, failures[index]]));
  return [...earlier.map((one) => settled.get(one) ?? one), ...failures.slice(open.length)];
}

function failuresOf(commands: readonly Ran[], programs: readonly Program[]): readonly Failure[] {
  if (!commands.some(({ status }) => status === "failed")) return [];
  const runsOf = remember((line) => readRuns(line, programs));
  const failures: Failure[] = [];
  // Go backwards, so that the run that resolved a failure is already known.
  const lines = new Map<string, Pass>();
  const runs = new Map<string, { readonly run: ProgramRun; readonly pass: Pass }[]>();
  const keyOf = (run: ProgramRun) => run.job?.name ?? run.command;
  const note = (run: ProgramRun, pass: Pass) => {
    const same = (runs.get(keyOf(run)) ?? []).filter((one) => one.run.folder !== run.folder || one.run.command !== run.command);
    runs.set(keyOf(run), [...same.slice(1 - RUNS_OF_JOB), { run, pass }]);
  };
  /** Where the last suspect passed later; undefined unless all of them did. */
  const passOf = (suspects: readonly ProgramRun[]): Pass | undefined => {
    const passes = suspects.map((run) => runs.get(keyOf(run))?.findLast((one) => isSameRun(one.run, run))?.pass);
    return passes.every((pass) => pass !== undefined) ? passes.at(-1) : undefined;
  };
  // Later runs that did not fail. A failure that only an output reported may be over by then.
  const again = new Map<string, readonly ProgramRun[]>();
  const mayBeOver = (suspects: readonly ProgramRun[]) =>
    suspects.some((run) => again.get(keyOf(run))?.some((later) => isSameRun(later, run)));
  const times = new Map<string, number>();
  for (const { command, status } of commands) if (status === "failed") times.set(command, (times.get(command) ?? 0) + 1);
  const failing = new Map<string, readonly ProgramRun[]>();
  const shown = new Set<string>();
  /** Minor: a line without a job that failed only once, or jobs that fail again later, where the last failure counts. */
  const isMinor = (line: string, jobs: readonly ProgramRun[]): boolean => {
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
      // A failure that a later one covers adds nothing.
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

const nearest = (before: readonly ProgramRun[] = [], run: ProgramRun) => [...before.slice(1 - RUNS_OF_JOB), run];

/** The command lines that still fail and matter, in the order in which they failed. */
export const stillFailing = (errors: readonly Failure[]): readonly string[] => [
  ...new Set(errors.filter(({ resolved, minor }) => !resolved && !minor).map(({ command }) => command)),
];

/** May a failure of the line be the failure of a job? */
export const isJob = (line: string, programs: readonly Program[]): boolean =>
  readRuns(line, programs).suspects.some(({ job }) => job);

/** If the line passes, did it commit? */
export const provesCommit = (line: string, programs: readonly Program[]): boolean =>
  readRuns(line, programs).proven.some(({ job }) => job?.program.commits);

/** The jobs whose failure the output may report. Not a commit: its output shows what it commits. */
const jobsTold = ({ suspects, shown }: Runs): readonly ProgramRun[] =>
  (shown ? [shown] : suspects).filter(({ job }) => job && !job.program.history);

/** Does the line run a job whose result does not follow from the line's own status? */
export function leavesOpen(line: string, status: Command["status"], programs: readonly Program[]): boolean {
  const runs = readRuns(line, programs);
  const keyOf = ({ command, folder }: ProgramRun) => `${folder}\n${command}`;
  const proven = new Set(runs.proven.map(keyOf));
  const isProven = (run: ProgramRun) => proven.has(keyOf(run));
  return jobsTold(runs).some((run) => status === "unknown" || !isProven(run));
}

/** Does the end of the output say that the job failed? Hosts may repeat the command line there: its words do not count. */
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

/** Does the output say that all passed? Not if it may be cut: the end, where that is said, is unknown. */
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
