// Formats the verdicts of an audit as lines for people.
import { countVerdicts, type FactVerdict } from "../../audit/audit.js";
import type { AuditVerdict } from "../../audit/verdict.js";
import { shortLine } from "./lines.js";
import type { Colours } from "./terminal.js";

/** Characters of a fact, so that the reasons are aligned. */
const FACT_CHARACTERS = 71;

/** One line per fact, in columns, and a last line with the counts. */
export function verdictLines(summary: string, verdicts: readonly FactVerdict[], colours: Colours): string {
  const placeOf = places(summary);
  const rows = verdicts.map((fact) => ({
    verdict: fact.verdict,
    cells: [
      fact.verdict,
      fact.kind,
      shortLine(fact.text, FACT_CHARACTERS),
      fact.where ? placeOf(fact.where.start) : "-",
      shortLine(fact.why, FACT_CHARACTERS),
    ],
  }));
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map(({ cells }) => widthOf(cells[column]))));
  const lines = rows.map(({ verdict, cells }) => {
    const [said = "", kind, text, place, why] = cells.map((cell, at) =>
      cell.padEnd(cell.length + (widths[at] ?? 0) - widthOf(cell)),
    );
    return `${paintOf(verdict, colours)(said)}  ${kind}  ${text}  ${colours.dim(`${place}  ${why}`)}`;
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

const widthOf = (text = "") => [...text].length;

/** Converts an offset to line:column, counted from 1 as editors do. */
function places(text: string): (offset: number) => string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return `${line + 1}:${offset - (starts[line] as number) + 1}`;
  };
}
