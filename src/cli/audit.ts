// compaction audit: checks whether a summary still says what was found in the session.

import { createReadStream } from "node:fs";
import { audit as auditSummary, countVerdicts, type FactVerdict } from "../audit/audit.js";
import { blankBlocks } from "../audit/block.js";
import { repair } from "../audit/repair.js";
import type { AuditVerdict } from "../audit/verdict.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { ownProgram } from "../hosts/own-program.js";
import { CASE_BYTES } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { counted } from "../text/forms.js";
import { isFields, parseJson } from "../text/json.js";
import { type Arguments, forbidTwice, oneSession } from "./input/arguments.js";
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
} from "./input/open-session.js";
import { findTemplate, isOff, rulesFor } from "./input/project.js";
import { alignedColumns, notesOf, shortLine } from "./output/lines.js";
import { type Colours, CommandError, coloursOf, createProgress, EXIT, print, printJson, say, warn } from "./output/terminal.js";

export async function audit({ values, flags, positionals }: Arguments): Promise<number> {
  const { summary, project, format, cases } = values;
  const loaded = () => rulesFor(project ?? process.cwd());
  if (cases !== undefined) {
    const other = ["summary", "format", "strict", "repair"].find((name) => values[name] ?? flags[name]);
    if (other !== undefined) throw new CommandError(`--${other} cannot be used with --cases`, `see ${ownProgram()} audit --help`);
    if (positionals.length > 0) throw new CommandError("--cases takes no session", "name the one or the other");
    const rules = loaded();
    return isOff(rules) ? EXIT.fine : auditCases(cases, rules.rules);
  }
  const session = oneSession(positionals);
  forbidTwice(session, summary);
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
  if (summary === undefined && text === "") warn("note: the agent wrote no summary\n");
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

type Case = { readonly id: string | number; readonly kind: string; readonly fact: string; readonly summary: string };

async function auditCases(path: string, rules: RuleSet): Promise<number> {
  const shown = shownAs(path);
  let [checked, broken] = [0, 0];
  try {
    for await (const { number, bytes } of linesOf(path === STANDARD_INPUT ? process.stdin : createReadStream(path), CASE_BYTES)) {
      const read = bytes ? toCase(new TextDecoder().decode(bytes)) : `is longer than ${CASE_BYTES} bytes`;
      if (typeof read === "string") {
        broken++;
        warn(`compaction: ${shown}:${number} ${read}\n`);
        continue;
      }
      checked++;
      const { verdicts } = auditSummary([{ kind: read.kind, text: read.fact }], read.summary, { rules });
      print(`${JSON.stringify({ id: read.id, verdict: verdicts[0]?.verdict })}\n`);
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : unreadable(path, error);
  }
  if (broken > 0) warn(`compaction: ${counted(broken, "line")} of ${shown} could not be read\n`);
  if (checked === 0) throw new CommandError(`${shown} holds no case`, "a case is {id, kind, fact, summary} on one line");
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

/** Characters of a fact, so that the reasons are aligned. */
const FACT_CHARACTERS = 71;

/** One line per fact, in columns, and a last line with the counts. */
export function verdictLines(summary: string, verdicts: readonly FactVerdict[], colours: Colours): string {
  const rows = verdicts.map(({ verdict, kind, text, where, why }) => {
    const place = where ? lineAndColumn(summary, where.start) : "-";
    return [verdict, kind, shortLine(text, FACT_CHARACTERS), place, shortLine(why, FACT_CHARACTERS)] as const;
  });
  const lines = alignedColumns(rows).map(([verdict, kind, text, place, why], index) => {
    const paint = paintOf((rows[index] as (typeof rows)[number])[0], colours);
    return `${paint(verdict)}  ${kind}  ${text}  ${colours.dim(`${place}  ${why}`)}`;
  });
  return [...lines, countLine(verdicts)].map((line) => `${line}\n`).join("");
}

export function countLine(verdicts: readonly FactVerdict[]): string {
  if (verdicts.length === 0) return "no fact was found";
  const counts = Object.entries(countVerdicts(verdicts)).map(([verdict, count]) => `${count} ${verdict}`);
  return `${counted(verdicts.length, "fact")}: ${counts.join(", ")}`;
}

function paintOf(verdict: AuditVerdict, { green, yellow, red }: Colours): (text: string) => string {
  if (verdict === "kept") return green;
  return verdict === "unsure" || verdict === "altered" ? yellow : red;
}

/** An offset as line:column, counted from 1 as editors do. */
function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1) as string).length + 1}`;
}
