// Finds the command lines that failed, and which of them passed later: the same line, or one that runs the same programs.
import type { Command, Failure } from "../../model.js";
import type { Line } from "./line.js";
import { isSameRun, type ProgramRun } from "./runs.js";

/** How many later runs of one job, the nearest, are compared with its failure: each may cover other files. */
const RUNS_OF_JOB = 64;

export interface Ran {
  readonly line: Line;
  readonly done: Command;
  /** Only its output says that it failed. */
  readonly failedByOutput: boolean;
  readonly saysPassed: () => boolean;
  /** The first line of its output that tells an error. */
  readonly error: () => string | undefined;
  /** How many changes of files came before its end. */
  readonly changes: number;
}

type Pass = NonNullable<Failure["passed"]>;

/** @param earlier failures remembered from before the session's messages were compacted
 * @param read reads one of their command lines
 * @param changes how many changes of files there are */
export function toFailures(
  commands: readonly Ran[],
  earlier: readonly Failure[],
  read: (line: string) => Line,
  changes: number,
): readonly Failure[] {
  const open = earlier.filter(({ resolved }) => !resolved);
  const known = open.map(
    (one): Ran => ({
      line: read(one.command),
      done: { ...one, status: "failed" },
      failedByOutput: false,
      saysPassed: () => false,
      error: () => one.error,
      changes: one.unsure ? -1 : 0,
    }),
  );
  const telling = commands.filter(
    ({ line, done, failedByOutput }) => done.status !== "failed" || failedByOutput || !isHarmless(line),
  );
  const failures = failuresOf([...known, ...telling], changes);
  const settled = new Map(open.map((one, index) => [one, failures[index]]));
  return [...earlier.map((one) => settled.get(one) ?? one), ...failures.slice(open.length)];
}

/** Does a failure of the line mean nothing? */
const isHarmless = ({ harmless, runs }: Line) => harmless && !runs.some(({ suspect, job }) => suspect && job);

const keyOf = ({ job, command }: ProgramRun) => job?.name ?? command;

const suspectsOf = ({ line, failedByOutput }: Ran) =>
  failedByOutput ? jobsTold(line) : line.runs.filter(({ suspect }) => suspect);

function failuresOf(all: readonly Ran[], changes: number): readonly Failure[] {
  const failed = all.filter(({ done }) => done.status === "failed");
  if (failed.length === 0) return [];
  // What ran before the first failure, and other programs, say nothing about a failure.
  const commands = all.slice(all.indexOf(failed[0] as Ran));
  const wanted = new Set(failed.flatMap(suspectsOf).map(keyOf));
  const failures: Failure[] = [];
  // Go backwards, so that the run that resolved a failure is already known.
  const lines = new Map<string, Pass>();
  const runs = new Map<string, { readonly run: ProgramRun; readonly pass: Pass }[]>();
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
  for (const { line } of failed) times.set(line.command, (times.get(line.command) ?? 0) + 1);
  const failing = new Map<string, readonly ProgramRun[]>();
  const shown = new Set<string>();
  /** What failed once before a commit, and did not run again, is past. */
  let committed = false;
  /** Minor: a line without a job that failed only once, or jobs that fail again later, where the last failure counts. */
  const isMinor = (line: string, jobs: readonly ProgramRun[]): boolean => {
    if (shown.has(line)) return false;
    if (jobs.length === 0) return times.get(line) === 1;
    return jobs.every((run) => failing.get(keyOf(run))?.some((later) => isSameRun(later, run)));
  };
  for (const ran of commands.reverse()) {
    const { command, status, source, tool } = ran.done;
    const { failedByOutput, line, saysPassed } = ran;
    if (status === "failed") {
      const suspects = suspectsOf(ran);
      const jobs = suspects.filter(({ job }) => job);
      const passed = lines.get(command) ?? passOf(jobs.length > 0 ? jobs : suspects);
      const isPast = committed && times.get(command) === 1;
      const minor = !passed && (isPast || (failedByOutput && mayBeOver(jobs)) || isMinor(command, jobs));
      if (!passed && !minor) {
        shown.add(command);
        // A failure that a later one covers adds nothing.
        for (const run of jobs) failing.set(keyOf(run), nearest(failing.get(keyOf(run)), run));
      }
      const resolved = passed !== undefined;
      const error = resolved || minor ? undefined : ran.error();
      const isPartOver = () => jobs.some((run) => (runs.get(keyOf(run)) ?? []).length > 0);
      const unsure = !resolved && !minor && (ran.changes < changes || isPartOver());
      const more = {
        ...(passed && { passed }),
        ...(minor && { minor }),
        ...(error !== undefined && { error }),
        ...(unsure && { unsure }),
      };
      failures.push({ command, source, tool, resolved, ...more });
      continue;
    }
    const pass = { source, tool };
    if (status === "passed" && line.commits.length > 0) committed = true;
    if (status === "passed") lines.set(command, pass);
    for (const run of line.runs) {
      if (!wanted.has(keyOf(run))) continue;
      // The output is about the only run.
      if ((status === "passed" && run.proven) || (line.runs.length === 1 && saysPassed())) note(run, pass);
      const before = again.get(keyOf(run)) ?? [];
      if (!before.some((later) => isSameRun(later, run))) again.set(keyOf(run), nearest(before, run));
    }
  }
  return failures.reverse();
}

const nearest = (before: readonly ProgramRun[] = [], run: ProgramRun) => [...before.slice(1 - RUNS_OF_JOB), run];

/** The failures that are not resolved and matter. */
export const openFailures = (errors: readonly Failure[]) => errors.filter(({ resolved, minor }) => !resolved && !minor);

/** The jobs whose failure the output may report. Not a commit: its output shows what it commits. */
const jobsTold = ({ runs }: Line): readonly ProgramRun[] =>
  runs.filter(({ suspect, job }) => (suspect || runs.length === 1) && job && !job.program.history);

/** Does the line run a job whose result does not follow from the line's own status? */
export function leavesOpen(line: Line, status: Command["status"]): boolean {
  const commandKey = ({ command, folder }: ProgramRun) => `${folder}\n${command}`;
  const jobs = jobsTold(line);
  const proven = new Set(jobs.length > 0 && status !== "unknown" ? line.runs.filter((run) => run.proven).map(commandKey) : []);
  return jobs.some((run) => !proven.has(commandKey(run)));
}
