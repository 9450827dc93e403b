// Which command lines failed, and which of them a later line passed, in the same words or by running the same programs.
import { OUTPUT_CHARACTERS } from "../limits.js";
import type { Command, Failure } from "../model.js";
import type { Phrase } from "../rules/phrase.js";
import { matchPhrase, type Span } from "../rules/phrase-match.js";
import { remember } from "../rules/remember.js";
import type { Program, Tool } from "../rules/rule-set.js";
import { toWords, type Words } from "../rules/words.js";
import { isSameRun, type Run, readRuns } from "./runs.js";

/** A command line, and whether its output says that what ran passed. */
export interface Ran extends Command {
  readonly saysPassed: () => boolean;
}

type Pass = NonNullable<Failure["passed"]>;

export function toFailures(commands: readonly Ran[], programs: readonly Program[]): readonly Failure[] {
  if (!commands.some(({ status }) => status === "failed")) return [];
  const runsOf = remember((line) => readRuns(line, programs));
  const failures: Failure[] = [];
  // Backwards, so that the run that ended a failure is known.
  const lines = new Map<string, Pass>();
  const runs = new Map<string, { readonly run: Run; readonly pass: Pass }[]>();
  const note = (run: Run, pass: Pass) => {
    const same = (runs.get(run.command) ?? []).filter((one) => one.run.folder !== run.folder);
    runs.set(run.command, [...same, { run, pass }]);
  };
  /** Where the last of what may have failed is known to pass. */
  const passOf = (line: string): Pass | undefined => {
    const { suspects } = runsOf(line);
    const passes = suspects.map((run) => runs.get(run.command)?.findLast((one) => isSameRun(one.run, run))?.pass);
    return passes.every((pass) => pass !== undefined) ? passes.at(-1) : undefined;
  };
  for (const { command, status, source, tool, saysPassed } of [...commands].reverse()) {
    if (status === "failed") {
      const passed = lines.get(command) ?? passOf(command);
      failures.push({ command, source, tool, resolved: passed !== undefined, ...(passed && { passed }) });
      continue;
    }
    const { proven, shown } = runsOf(command);
    if (status === "passed") {
      lines.set(command, { source, tool });
      for (const run of proven) note(run, { source, tool });
    }
    if (shown && !(status === "passed" && proven.includes(shown)) && saysPassed()) note(shown, { source, tool });
  }
  return failures.reverse();
}

/** Of an output that may be cut the end is not known, and there it stands. */
export function saysPassed(output: string, { passed, faulty }: Tool): boolean {
  if (passed.length === 0 || output.length >= OUTPUT_CHARACTERS) return false;
  const words = toWords(output);
  const good = passed.flatMap((phrase) => matches(phrase, words));
  const isGood = ({ from, to }: Span) => good.some((span) => span.from < to && from < span.to);
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
