// compaction audit: does a summary still say what was found in the session?
import { withOwnTemplates } from "../hosts/own-templates.js";
import { audit as auditSummary, countVerdicts } from "../keep/audit.js";
import { blankBlocks } from "../keep/block.js";
import { repair } from "../keep/repair.js";
import { AUDIT_CHARACTERS, SNIFFED_BYTES } from "../limits.js";
import { type Options, parseArguments } from "./arguments.js";
import { auditCases } from "./audit-cases.js";
import { type Checked, toDocument, toLines } from "./audit-report.js";
import { extractFrom, isOff, notesOf, type Reading } from "./extraction.js";
import { EXIT, Failure } from "./failure.js";
import { inputOf, readBytes } from "./input.js";
import { warn } from "./print.js";
import { rulesFor } from "./rules.js";
import { findTemplate } from "./template.js";
import { coloursFor, createProgress, printable } from "./terminal.js";

export const help = `compaction audit SESSION --summary FILE [--project DIR] [--format F] [--repair | --json] [--strict] [--no-cache]
compaction audit --cases FILE [--project DIR]

Finds the facts of a session, as run does, and says of each what the summary made of it: verdict, kind, text, place in
the summary (line:column) and why. "-" in place of one of the files reads standard input.

  kept           its words are there, in the same sense
  altered        it is there weakened, limited, or with a name, a number or a word exchanged
  contradicted   the summary says the opposite, or takes it back
  missing        no place says it
  unsure         a place may say it, in words that prove nothing

A block of <carried-facts> is not looked at: the verdicts are of the summary's own text, so what --repair puts
there is not kept by it.

  --summary FILE    the summary
  --project DIR     the project: its .compactionrc counts, and its notes (SESSION.md) and work items are read
  --format F        the format of the session; told from the content unless given
  --repair          print the summary, with what it lost behind it, in the place of the verdicts
  --json            the verdicts as data, and the repaired summary; places are UTF-16 offsets into the summary
  --strict          exit with 1 when a fact is not kept
  --no-cache        neither look up what was found in a message before, nor store it
  --cases FILE      judge pairs instead: {id, kind, fact, summary} a line in, {id, verdict} a line out, in the same order;
                    kind may be any word; a line that cannot be read is told on standard error

Exit status: 0 done, 1 something is not kept with --strict, 2 it could not run, or
a line of --cases could not be read.
`;

const options: Options = {
  summary: { type: "string" },
  project: { type: "string" },
  format: { type: "string" },
  cases: { type: "string" },
  repair: { type: "boolean" },
  json: { type: "boolean" },
  strict: { type: "boolean" },
  "no-cache": { type: "boolean" },
};

export async function audit(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, options, "audit");
  const { summary, project, format, cases } = values as Readonly<Record<string, string | undefined>>;
  const loaded = () => rulesFor(project ?? process.cwd());
  if (cases !== undefined) {
    const other = ["summary", "format", "strict", "repair"].find((name) => values[name] !== undefined);
    if (other !== undefined) throw new Failure(`--${other} says nothing about --cases`, "see compaction audit --help");
    if (positionals.length > 0) throw new Failure("--cases takes no session", "name the one or the other");
    const rules = loaded();
    return isOff(rules) ? EXIT.fine : auditCases(cases, rules.rules);
  }
  const [session, ...more] = positionals;
  if (session === undefined || more.length > 0) throw new Failure("name one session", 'a file, or "-" for standard input');
  if (summary === undefined) throw new Failure("no summary is named", "name its file with --summary");
  if (session === "-" && summary === "-") throw new Failure("standard input cannot be both", "name a file for one of the two");
  const reading: Reading = { loaded: loaded(), project, format, cache: values["no-cache"] !== true };
  if (isOff(reading.loaded)) return EXIT.fine;

  if (values.repair && values.json)
    throw new Failure("--repair and --json exclude each other", "--json holds the repaired summary");
  const checked = check(session, summary, reading);
  process.stdout.write(
    values.repair
      ? printable(`${checked.repaired}\n`)
      : values.json
        ? `${JSON.stringify(toDocument(checked), null, 2)}\n`
        : printable(toLines(checked, coloursFor(process.stdout))),
  );
  warn(notesOf(checked.continuation));
  if (checked.carries && !values.repair) warn("note: what stands in <carried-facts> is not counted\n");
  const { kept } = countVerdicts(checked.verdicts);
  return values.strict && kept < checked.verdicts.length ? EXIT.findings : EXIT.fine;
}

function check(path: string, summaryPath: string, reading: Reading): Checked & { readonly carries: boolean } {
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
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) throw new Failure(`${path}: it is a binary file, not a summary`);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") warn("note: the summary is empty\n");
  if (text.length > AUDIT_CHARACTERS) warn(`note: only the first ${AUDIT_CHARACTERS} characters of the summary are looked at\n`);
  return text;
}
