// compaction audit --cases: pairs of a fact and a summary, judged line by line.
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { audit } from "../keep/audit.js";
import { CASE_CHARACTERS } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { EXIT, Failure } from "./failure.js";
import { unreadable } from "./input.js";
import { linesOf } from "./lines.js";
import { warn } from "./print.js";

interface Case {
  readonly id: string | number;
  readonly kind: string;
  readonly fact: string;
  readonly summary: string;
}

export async function auditCases(path: string, rules: RuleSet): Promise<number> {
  const shown = path === "-" ? "standard input" : path;
  let [number, judged, broken] = [0, 0, 0];
  for await (const line of openLines(path)) {
    number++;
    if (line?.trim() === "") continue;
    const read = line === undefined ? `is longer than ${CASE_CHARACTERS} characters` : toCase(line);
    if (typeof read === "string") {
      broken++;
      warn(`compaction: ${shown}:${number} ${read}\n`);
      continue;
    }
    judged++;
    const { verdicts } = audit([{ kind: read.kind, text: read.fact }], read.summary, { rules });
    const answer = `${JSON.stringify({ id: read.id, verdict: verdicts[0]?.verdict })}\n`;
    if (!process.stdout.write(answer)) await once(process.stdout, "drain");
  }
  if (broken > 0) warn(`compaction: ${broken} ${broken === 1 ? "line" : "lines"} of ${shown} could not be read\n`);
  if (judged === 0) throw new Failure(`${shown} holds no case`, "a case is {id, kind, fact, summary} on one line");
  return broken > 0 ? EXIT.couldNotRun : EXIT.fine;
}

async function* openLines(path: string): AsyncGenerator<string | undefined> {
  try {
    yield* linesOf(path === "-" ? process.stdin : createReadStream(path), CASE_CHARACTERS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : unreadable(path, error as NodeJS.ErrnoException);
  }
}

/** A case, or what is wrong with it. */
function toCase(line: string): Case | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "is no JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "is no object";
  const { id, kind, fact, summary } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" && typeof id !== "number") return "has no id";
  if (typeof kind !== "string") return "has no kind";
  if (typeof fact !== "string") return "has no fact";
  if (typeof summary !== "string") return "has no summary";
  return { id, kind, fact, summary };
}
