// compaction audit: checks whether a summary still says what was found in the session.
import { audit as auditSummary, countVerdicts, type FactVerdict } from "../audit/audit.js";
import { blankBlocks } from "../audit/block.js";
import { repair } from "../audit/repair.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { AUDIT_CHARACTERS, SNIFFED_BYTES } from "../limits.js";
import type { Continuation } from "../model.js";
import { auditCases } from "./audit-cases.js";
import { oneSession, parseArguments } from "./input/arguments.js";
import { type ExtractionInput, extractFrom } from "./input/extraction.js";
import { inputOf, readBytes } from "./input/input.js";
import { findTemplate, isOff, rulesFor } from "./input/project.js";
import { notesOf } from "./output/lines.js";
import { CommandError, coloursFor, createProgress, EXIT, printable, warn } from "./output/terminal.js";
import { verdictLines } from "./output/verdict-lines.js";

export const help = `npx compaction-rules audit SESSION --summary FILE [--project DIR] [--format F] [--repair | --json] [--strict]
npx compaction-rules audit --cases FILE [--project DIR]

Finds the facts of a session, like run, and checks whether a summary still says them. Prints for each fact the verdict, kind,
text, place in the summary (line:column) and the reason. "-" for one of the files reads standard input.

  kept           its words are there, in the same sense
  altered        it is there, but weakened, limited, or with another name, number or word
  contradicted   the summary says the opposite, or takes it back
  missing        no place says it
  unsure         a place may say it, but its words do not prove it

A <carried-facts> block is ignored: the verdicts are about the summary's own text, so a fact that --repair adds does not
count as kept.

  --summary FILE    the summary
  --project DIR     the project: its .compactionrc is used, and its notes (SESSION.md) and work items are read
  --format F        the format of the session; detected unless given
  --repair          print the repaired summary instead: the lost facts are added at its end
  --json            print the verdicts and the repaired summary as JSON; places are UTF-16 offsets into the summary
  --strict          exit with 1 if a fact is not kept
  --cases FILE      judge pairs instead: one {id, kind, fact, summary} per line in, one {id, verdict} per line out, in the same
                    order; kind may be any word; a line that cannot be read is reported on standard error

Exit status: 0 done, 1 a fact is not kept with --strict, 2 it could not run, or a line of --cases could not be read.
`;

export async function audit(args: readonly string[]): Promise<number> {
  const { values, flags, positionals } = parseArguments(args, help);
  const { summary, project, format, cases } = values;
  const loaded = () => rulesFor(project ?? process.cwd());
  if (cases !== undefined) {
    const other = ["summary", "format", "strict", "repair"].find((name) => values[name] ?? flags[name]);
    if (other !== undefined)
      throw new CommandError(`--${other} cannot be used with --cases`, "see npx compaction-rules audit --help");
    if (positionals.length > 0) throw new CommandError("--cases takes no session", "name the one or the other");
    const rules = loaded();
    return isOff(rules) ? EXIT.fine : auditCases(cases, rules.rules);
  }
  const session = oneSession(positionals);
  if (summary === undefined) throw new CommandError("no summary is named", "name its file with --summary");
  if (session === "-" && summary === "-")
    throw new CommandError("standard input cannot be both", "name a file for one of the two");
  const reading: ExtractionInput = { loaded: loaded(), project, format };
  if (isOff(reading.loaded)) return EXIT.fine;

  if (flags.repair && flags.json)
    throw new CommandError("--repair and --json cannot be used together", "--json holds the repaired summary");
  const checked = check(session, summary, reading);
  process.stdout.write(
    flags.repair
      ? printable(`${checked.repaired}\n`)
      : flags.json
        ? `${JSON.stringify(toDocument(checked), null, 2)}\n`
        : printable(verdictLines(checked.summary, checked.verdicts, coloursFor(process.stdout))),
  );
  warn(notesOf(checked.continuation));
  if (checked.carries && !flags.repair) warn("note: <carried-facts> blocks are ignored\n");
  const { kept } = countVerdicts(checked.verdicts);
  return flags.strict && kept < checked.verdicts.length ? EXIT.findings : EXIT.fine;
}

function check(path: string, summaryPath: string, reading: ExtractionInput): Checked & { readonly carries: boolean } {
  const summary = readText(summaryPath);
  const progress = createProgress();
  const extraction = extractFrom(inputOf(path), reading, (part) => progress.step(`${path}${part}`));
  progress.end();
  const { rules } = reading.loaded;
  const { continuation } = extraction;
  const own = blankBlocks(summary);
  const { verdicts } = auditSummary(continuation, own, { rules });
  const { summary: repaired } = repair(extraction, summary, findTemplate("repair", withOwnTemplates(reading.loaded)), rules);
  return { continuation, summary, repaired, verdicts, carries: own !== summary };
}

function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) throw new CommandError(`${path}: it is a binary file, not a summary`);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") warn("note: the summary is empty\n");
  if (text.length > AUDIT_CHARACTERS) warn(`note: only the first ${AUDIT_CHARACTERS} characters of the summary are checked\n`);
  return text;
}

export interface Checked {
  readonly continuation: Continuation;
  readonly summary: string;
  /** The summary with the block of lost facts after it. */
  readonly repaired: string;
  readonly verdicts: readonly FactVerdict[];
}

export function toDocument({ continuation, repaired, verdicts }: Checked): object {
  return { version: 1, session: continuation.session, counts: countVerdicts(verdicts), verdicts, repaired };
}
