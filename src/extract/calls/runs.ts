// Finds which programs a command line runs, however it is typed: `npm test` is `CI=1 npm test 2>&1`.
import { posix } from "node:path";
import { PATH_CHARACTERS } from "../../limits.js";
import type { Program } from "../../rules/tool-set.js";
import { type Command, operandsOf, type ProgramCall } from "./programs.js";
import type { ShellWord, Step } from "./shell.js";

/** What a program builds, tests, checks, installs or deploys. */
export interface Job {
  /** Program and subcommand. */
  readonly name: string;
  readonly targets: readonly string[];
  /** Options that narrow what it covers, with their values. */
  readonly narrowed: readonly string[];
  readonly program: Program;
}

export interface ProgramRun {
  readonly command: string;
  /** The folder that the line changes to; empty if it stays. */
  readonly folder: string;
  readonly job?: Job;
  /** If the line fails, one of its suspects failed. */
  readonly suspect: boolean;
  /** If the line passes, it passed. A suspect too. */
  readonly proven: boolean;
}

/** Everything that may have run, whatever the line's result. */
export function readRuns(steps: readonly Step<Command>[]): readonly ProgramRun[] {
  const commands = steps.filter(isSimple);
  // The result of a line is the result of its last list.
  const last = commands.findLastIndex(({ join }, index) => index < commands.length - 1 && (join === ";" || join === "&")) + 1;
  const isSure = commands.every(({ join }, index) => index < last || (join !== "||" && join !== "&"));
  const runs: ProgramRun[] = [];
  let folder = "";
  // A path that is too long is not a folder.
  const enter = ({ text }: ShellWord) =>
    folder.length + text.length > PATH_CHARACTERS ? folder : posix.resolve("/", folder, text);
  const isHarmlessEnd = endsHarmless(commands);
  for (const [index, { words, join, call, piped }] of commands.entries()) {
    if (words.length === 0) continue;
    if (call?.program.folder) {
      const [target] = operandsOf(call.behind, call.program);
      if (target) folder = enter(target);
      continue;
    }
    if (call && isAside(call.program, piped)) continue;
    const inner = call?.inner;
    const around = inner?.folder ? enter(inner.folder) : folder;
    const isSuspect = index >= last && !(join === "|" && isHarmlessEnd[index]);
    const isProven = isSuspect && isSure && join !== "|";
    const own = () => ({ command: quoteWords(words), folder: "", ...(call && jobOf(call)), suspect: true, proven: true });
    for (const run of inner ? readRuns(inner.steps) : [own()]) {
      const { suspect, proven } = run;
      runs.push({ ...run, folder: run.folder || around, suspect: suspect && isSuspect, proven: proven && isProven });
    }
  }
  return runs;
}

const isSimple = (step: Step<Command>): step is Command => "words" in step;

const quoteWords = (words: readonly ShellWord[]) =>
  words.map(({ text, dynamic }) => (dynamic ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");

/** For each command: does its pipeline end with a program that fails when it finds nothing? That is the pipeline's result. */
function endsHarmless(commands: readonly Command[]): readonly boolean[] {
  const ends: boolean[] = [];
  for (const { join, call } of commands.toReversed())
    ends.push(join === "|" ? ends.at(-1) === true : call?.program.harmless === true);
  return ends.reverse();
}

/** Does it only show another program's output, or do nothing whose failure matters? */
function isAside(program: Program, piped: boolean): boolean {
  const { runs, harmless, patch, read, created, modified, deleted, job, scripts } = program;
  if (runs || patch || job || scripts.length > 0) return false;
  return piped || harmless || !(read || created || modified || deleted);
}

/** Does a later run show what became of an earlier one? A line that changes no folder may run anywhere. */
export function isSameRun(later: ProgramRun, earlier: ProgramRun): boolean {
  if (later.command === earlier.command || (later.job && earlier.job && isSameJob(later.job, earlier.job))) {
    const [a, b] = [later.folder, earlier.folder];
    return a === "" || b === "" || a.endsWith(b) || b.endsWith(a);
  }
  return later.job !== undefined && earlier.job !== undefined && isSameJob(fromAbove(later, earlier), fromAbove(earlier, later));
}

/** A job as seen by a line that changes no folder: `cd web && pytest tests` is `pytest web/tests`. */
function fromAbove(run: ProgramRun, other: ProgramRun): Job {
  const job = run.job as Job;
  if (run.folder === "" || other.folder !== "") return job;
  const named = other.job?.targets ?? [];
  const targets = job.targets.map((target) => {
    const path = posix.join(run.folder, target);
    return named.find((one) => path.endsWith(`/${one}`)) ?? path;
  });
  return { ...job, targets };
}

function jobOf({ program, name: typed, behind }: ProgramCall): { readonly job: Job } | undefined {
  if (!(program.job || program.scripts.length > 0)) return undefined;
  // The value of a narrowing option is not a target.
  const operands = operandsOf(behind, { ...program, values: [...program.values, ...program.narrow] }).map(({ text }) => text);
  const named = operands.filter((text) => !text.startsWith("-"));
  const script = program.scripts.length > 0 ? named.shift() : "";
  if (script === undefined || (script && !partsOf(script).some((part) => program.scripts.includes(part)))) return undefined;
  const name = `${program.as ?? typed} ${script}`.trim();
  const isNarrow = (text: string) => program.narrow.includes(text.replace(/=.*$/, ""));
  const narrowed = behind.flatMap(({ text }, at) =>
    isNarrow(text) ? [text.includes("=") ? text : `${text}=${behind[at + 1]?.text ?? ""}`] : [],
  );
  return { job: { name, targets: named.map(tidied).filter((target) => target !== "."), narrowed, program } };
}

/** The words of a script's name: `test:unit`, `scripts/build-all.sh`. */
const partsOf = (script: string) =>
  posix
    .basename(script)
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** `./src/`, `src/...` and `src` are the same. */
const tidied = (target: string) => posix.normalize(target.replace(/\/?\.\.\.$/, "") || ".").replace(/(?<=.)\/$/, "");

/** The same program with the same or wider targets, whatever its other options: a narrower run proves nothing for a wider one. */
function isSameJob(later: Job, earlier: Job): boolean {
  const { program, targets } = later;
  if (later.name !== earlier.name || later.narrowed.some((option) => !earlier.narrowed.includes(option))) return false;
  if (program.job === "any") return true;
  if (targets.length === 0) return earlier.targets.length === 0 || program.job !== "named";
  if (earlier.targets.length === 0) return targets.some((target) => program.roots.includes(target));
  return earlier.targets.every((target) => targets.some((wide) => isWithin(target, wide)));
}

const isWithin = (target: string, wide: string) =>
  target === wide || target.startsWith(`${wide}/`) || target.startsWith(`${wide}::`);

/** Longest command that is worth repeating, and the shortest that says something. */
const TYPED_CHARACTERS = { min: 6, max: 160 };

/** The commands of a line as they can be typed again: without folders, redirections, and programs that look, commit or send. */
export const typedCommands = (steps: readonly Step<Command>[]): readonly string[] =>
  steps.filter(isSimple).flatMap((command) => {
    const { words } = command;
    if (!runsJob(command) || words.some(({ text, dynamic }) => dynamic || /\s{2}|\n/.test(text))) return [];
    const text = words.map(({ text: word }) => (/^[\w@%+=:,./~^*-]+$/.test(word) ? word : shellQuote(word))).join(" ");
    return text.length >= TYPED_CHARACTERS.min && text.length <= TYPED_CHARACTERS.max ? [text] : [];
  });

/** Does it run a job other than to commit and send, or a program that no pack knows? */
function runsJob({ words, call }: Command): boolean {
  if (!call) return words.length > 1;
  const { program, inner } = call;
  if (inner && inner.steps.length > 0) return inner.steps.some((step) => isSimple(step) && runsJob(step));
  return (program.job !== undefined || program.scripts.length > 0) && !program.commits && !program.sends;
}

const shellQuote = (word: string) => (/["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`);
