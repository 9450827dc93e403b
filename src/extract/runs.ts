// Which programs a command line runs, told from the forms in which a line is typed: `npm test` is `CI=1 npm test 2>&1`.
import { posix } from "node:path";
import { COMMAND_DEPTH, PATH_CHARACTERS } from "../limits.js";
import type { Program } from "../rules/tool-set.js";
import { isSameJob, type Job, jobOf } from "./jobs.js";
import { parseShell, type SimpleCommand } from "./shell.js";
import { findProgram, innerLine, nameLength, operandsOf, quoted, withoutAssignments } from "./shell-effects.js";

export interface Run {
  readonly command: string;
  /** Where the line goes first; empty where it stays. */
  readonly folder: string;
  /** What it builds, tests, checks, installs or deploys. */
  readonly job?: Job;
}

export interface Runs {
  /** One of these failed when the line fails. */
  readonly suspects: readonly Run[];
  /** All of these passed when the line passes. */
  readonly proven: readonly Run[];
  /** Whatever may have run, whatever the result of the line. */
  readonly all: readonly Run[];
  /** The one that the output tells of, whatever the result of the line. */
  readonly shown?: Run;
}

const NONE: Runs = { suspects: [], proven: [], all: [] };
/** Words of the shell's own grammar: what runs, and how often, is not told by the line. */
const COMPOUND = /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|[{}!])$/;

export function readRuns(line: string, programs: readonly Program[], depth = 0): Runs {
  const commands = parseShell(line);
  if (commands.some(({ words, join }) => COMPOUND.test(words[0]?.text ?? "") || /[()]|;;/.test(join))) return NONE;
  // The result of a line is that of its last list, which begins behind the last semicolon.
  const last = commands.findLastIndex(({ join }, index) => index < commands.length - 1 && isEnd(join)) + 1;
  const result = commands.slice(last);
  const isSure = !result.some(({ join }) => join.includes("||")) && !isBackground(result.at(-1));
  const suspects: Run[] = [];
  const proven: Run[] = [];
  const all: Run[] = [];
  let folder = "";
  const isHarmlessEnd = endsHarmless(commands, programs);
  for (const [index, command] of commands.entries()) {
    const words = withoutAssignments(command.words);
    const program = findProgram(words, programs);
    if (words.length === 0) continue;
    if (program?.folder) {
      const [target] = operandsOf(words.slice(nameLength(program, words)), program);
      // What is too long for one is no folder.
      if (target && folder.length + target.text.length <= PATH_CHARACTERS) folder = posix.resolve("/", folder, target.text);
      continue;
    }
    if (program && isAside(program, command)) continue;
    const inner = program?.runs && depth < COMMAND_DEPTH ? readRuns(innerLine(words, program), programs, depth + 1) : undefined;
    const runs = inner ?? only({ command: quoted(words), folder: "", ...jobOf(words, program) });
    const here = (run: Run): Run => ({ ...run, folder: run.folder || folder });
    all.push(...runs.all.map(here));
    if (index < last) continue;
    if (isPiped(command) && isHarmlessEnd[index]) continue;
    suspects.push(...runs.suspects.map(here));
    if (isSure && !isPiped(command)) proven.push(...runs.proven.map(here));
  }
  const [shown] = all;
  return { suspects, proven, all, ...(shown && all.length === 1 && { shown }) };
}

const only = (run: Run): Runs => ({ suspects: [run], proven: [run], all: [run] });

/** For each command, does the pipe that it stands in end with what fails when it finds nothing? That is the result. */
function endsHarmless(commands: readonly SimpleCommand[], programs: readonly Program[]): readonly boolean[] {
  const ends: boolean[] = [];
  for (const [back, command] of [...commands].reverse().entries())
    ends.push(
      isPiped(command)
        ? back > 0 && (ends[back - 1] as boolean)
        : findProgram(withoutAssignments(command.words), programs)?.harmless === true,
    );
  return ends.reverse();
}

/** What only shows what another program prints, and what does nothing that could fail and matter. */
function isAside(program: Program, { piped }: SimpleCommand): boolean {
  const { runs, harmless, patch, read, created, modified, deleted, job, scripts } = program;
  if (runs || patch || job || scripts.length > 0) return false;
  return piped || harmless || !(read || created || modified || deleted);
}

const isPiped = ({ join }: SimpleCommand) => /^\|(?!\|)/.test(join);
const isEnd = (join: string) => /;|(?<!&)&(?!&)/.test(join) || /^\n+$/.test(join);
const isBackground = (command: SimpleCommand | undefined) => /(?<!&)&(?!&)/.test(command?.join ?? "");

/** Does a run tell what has become of an earlier one? A line that stays where it is may be anywhere. */
export function isSameRun(later: Run, earlier: Run): boolean {
  if (later.command === earlier.command || (later.job && earlier.job && isSameJob(later.job, earlier.job))) {
    const [a, b] = [later.folder, earlier.folder];
    return a === "" || b === "" || a.endsWith(b) || b.endsWith(a);
  }
  return later.job !== undefined && earlier.job !== undefined && isSameJob(fromAbove(later, earlier), fromAbove(earlier, later));
}

/** A job as it reads from where a line that goes nowhere may stand: `cd web && pytest tests` is `pytest web/tests`. */
function fromAbove(run: Run, other: Run): Job {
  const job = run.job as Job;
  if (run.folder === "" || other.folder !== "") return job;
  const named = other.job?.targets ?? [];
  const targets = job.targets.map((target) => {
    const path = posix.join(run.folder, target);
    return named.find((one) => path.endsWith(`/${one}`)) ?? path;
  });
  return { ...job, targets };
}
