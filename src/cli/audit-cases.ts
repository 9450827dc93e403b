// compaction audit --cases: judges pairs of a fact and a summary, one per line.
import { createReadStream } from "node:fs";
import { audit } from "../audit/audit.js";
import { CASE_BYTES } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { linesOf, STANDARD_INPUT, unreadable } from "./input/input.js";
import { CommandError, EXIT, print, warn } from "./output/terminal.js";

interface Case {
  readonly id: string | number;
  readonly kind: string;
  readonly fact: string;
  readonly summary: string;
}

export async function auditCases(path: string, rules: RuleSet): Promise<number> {
  const shown = path === STANDARD_INPUT ? "standard input" : path;
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
      const { verdicts } = audit([{ kind: read.kind, text: read.fact }], read.summary, { rules });
      await print(`${JSON.stringify({ id: read.id, verdict: verdicts[0]?.verdict })}\n`);
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
