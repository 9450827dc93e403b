// compaction audit: checks whether a summary still says what was found in the session.
import { createReadStream } from "node:fs";
import { audit as auditSummary, countVerdicts, type FactVerdict } from "../audit/audit.js";
import { blankBlocks } from "../audit/block.js";
import { repair } from "../audit/repair.js";
import type { AuditVerdict } from "../audit/verdict.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { CASE_BYTES } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isFields, parseJson } from "../source/session/parse-json.js";
import { type Arguments, oneSession } from "./input/arguments.js";
import {
  type ExtractionInput,
  extractFrom,
  inputOf,
  linesOf,
  ofLastCompaction,
  readSummary,
  STANDARD_INPUT,
  shownAs,
  unreadable,
} from "./input/input.js";
import { findTemplate, isOff, rulesFor } from "./input/project.js";
import { columnsOf, notesOf, shortLine } from "./output/lines.js";
import { type Colours, CommandError, coloursOf, createProgress, EXIT, print, printJson, say, warn } from "./output/terminal.js";

export const help = `npx compaction-rules audit SESSION [--summary FILE] [--project DIR] [--format F] [--repair | --json] [--strict]
npx compaction-rules audit --cases FILE [--project DIR]

Finds the facts of a session, like run, and checks whether a summary still says them. Without a summary, the last one
that the agent wrote into the session is checked, against what was said before it. Prints for each fact the verdict,
kind, text, place in the summary (line:column) and the reason. "-" for one of the files reads standard input.

  kept           its words are there, in the same sense
  altered        it is there, but weakened, limited, or with another name or word
  contradicted   the summary says the opposite, takes it back, or has another value in the same sentence
  missing        no place says it
  unsure         perhaps said in other words: a place has some of its words, but they do not prove it

A <carried-facts> block is ignored: the verdicts are about the summary's own text, so a fact that --repair adds does not
count as kept.

  --summary FILE    the summary
  --project DIR     the project: its .compactionrc is used, and its notes (SESSION.md) and work items are read
  --format F        the format of the session; detected unless given
  --repair          print the repaired summary instead: the lost facts are added at its end
  --json            print the verdicts and the repaired summary as JSON; places are UTF-16 offsets into the summary
  --strict          exit with 1 if a fact is not kept
  --cases FILE      judge pairs instead: one {id, kind, fact, summary} per line in, one {id, verdict} per line out, in
                    the same order; kind may be any word; a line that cannot be read is reported on standard error

Exit status: 0 done, 1 a fact is not kept with --strict, 2 it could not run, or a line of --cases could not be read.
`;

export async function audit({ values, flags, positionals }: Arguments): Promise<number> {
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
  if (session === "-" && summary === "-")
    throw new CommandError("standard input cannot be both", "name a file for one of the two");
  const reading: ExtractionInput = { loaded: loaded(), project, format };
  if (isOff(reading.loaded)) return EXIT.fine;

  if (flags.repair && flags.json)
    throw new CommandError("--repair and --json cannot be used together", "--json holds the repaired summary");
  const { continuation, text, repaired, verdicts, carries } = check(session, summary, reading);
  const counts = countVerdicts(verdicts);
  if (flags.repair) say(`${repaired}\n`);
  else if (flags.json) printJson({ version: 1, session: continuation.session, counts, verdicts, repaired });
  else say(verdictLines(text, verdicts, coloursOf()));
  warn(notesOf(continuation));
  if (carries && !flags.repair) warn("note: <carried-facts> blocks are ignored\n");
  return flags.strict && counts.kept < verdicts.length ? EXIT.findings : EXIT.fine;
}

function check(path: string, summaryPath: string | undefined, reading: ExtractionInput) {
  const progress = createProgress();
  const step = (part: string) => progress.step(`${path}${part}`);
  const { text, extraction } =
    summaryPath === undefined
      ? ofLastCompaction(inputOf(path), reading, step)
      : { text: readSummary(summaryPath), extraction: extractFrom(inputOf(path), reading, step).extraction };
  progress.end();
  const { rules } = reading.loaded;
  const { continuation } = extraction;
  const own = blankBlocks(text);
  const { verdicts } = auditSummary(continuation, own, { rules });
  const { summary: repaired } = repair(extraction, text, findTemplate("repair", withOwnTemplates(reading.loaded)), rules);
  return { continuation, text, repaired, verdicts, carries: own !== text };
}

// Judges pairs of a fact and a summary, one per line.

interface Case {
  readonly id: string | number;
  readonly kind: string;
  readonly fact: string;
  readonly summary: string;
}

async function auditCases(path: string, rules: RuleSet): Promise<number> {
  const shown = shownAs(path);
  let [judged, broken] = [0, 0];
  try {
    for await (const { number, bytes } of linesOf(path === STANDARD_INPUT ? process.stdin : createReadStream(path), CASE_BYTES)) {
      const read = bytes ? toCase(new TextDecoder().decode(bytes)) : `is longer than ${CASE_BYTES} bytes`;
      if (typeof read === "string") {
        broken++;
        warn(`compaction: ${shown}:${number} ${read}\n`);
        continue;
      }
      judged++;
      const { verdicts } = auditSummary([{ kind: read.kind, text: read.fact }], read.summary, { rules });
      print(`${JSON.stringify({ id: read.id, verdict: verdicts[0]?.verdict })}\n`);
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : unreadable(path, error as NodeJS.ErrnoException);
  }
  if (broken > 0) warn(`compaction: ${broken} ${broken === 1 ? "line" : "lines"} of ${shown} could not be read\n`);
  if (judged === 0) throw new CommandError(`${shown} holds no case`, "a case is {id, kind, fact, summary} on one line");
  return broken > 0 ? EXIT.couldNotRun : EXIT.fine;
}

/** A case, or what is wrong with the line. */
function toCase(line: string): Case | string {
  const fields = parseJson(line);
  if (!isFields(fields)) return fields === undefined ? "is no JSON" : "is no object";
  const isGiven = (key: string) => typeof fields[key] === "string" || (key === "id" && typeof fields[key] === "number");
  const lacks = ["id", "kind", "fact", "summary"].find((key) => !isGiven(key));
  return lacks === undefined ? (fields as unknown as Case) : `has no ${lacks}`;
}

// Formats the verdicts as lines for people.

/** Characters of a fact, so that the reasons are aligned. */
const FACT_CHARACTERS = 71;

/** One line per fact, in columns, and a last line with the counts. */
export function verdictLines(summary: string, verdicts: readonly FactVerdict[], colours: Colours): string {
  const rows = verdicts.map(({ verdict, kind, text, where, why }) => {
    const place = where ? placeOf(summary, where.start) : "-";
    return [verdict, kind, shortLine(text, FACT_CHARACTERS), place, shortLine(why, FACT_CHARACTERS)] as const;
  });
  const lines = columnsOf(rows).map(([verdict, kind, text, place, why], index) => {
    const paint = paintOf((rows[index] as (typeof rows)[number])[0], colours);
    return `${paint(verdict)}  ${kind}  ${text}  ${colours.dim(`${place}  ${why}`)}`;
  });
  return [...lines, countLine(verdicts)].map((line) => `${line}\n`).join("");
}

export function countLine(verdicts: readonly FactVerdict[]): string {
  if (verdicts.length === 0) return "no fact was found";
  const counts = Object.entries(countVerdicts(verdicts)).map(([verdict, count]) => `${count} ${verdict}`);
  return `${verdicts.length} ${verdicts.length === 1 ? "fact" : "facts"}: ${counts.join(", ")}`;
}

function paintOf(verdict: AuditVerdict, { green, yellow, red }: Colours): (text: string) => string {
  if (verdict === "kept") return green;
  return verdict === "unsure" || verdict === "altered" ? yellow : red;
}

/** An offset as line:column, counted from 1 as editors do. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1) as string).length + 1}`;
}
