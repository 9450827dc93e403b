// The verdicts of an audit as lines for people and as data.
import { countVerdicts, type FactVerdict } from "../keep/audit.js";
import type { AuditVerdict } from "../keep/audit-judge.js";
import { SHOWN_CHARACTERS } from "../limits.js";
import type { Continuation } from "../model.js";
import type { Colours } from "./terminal.js";

export interface Checked {
  readonly continuation: Continuation;
  readonly summary: string;
  /** The summary with what it lost behind it. */
  readonly repaired: string;
  readonly verdicts: readonly FactVerdict[];
}

export function toDocument({ continuation, repaired, verdicts }: Checked): object {
  return { version: 1, session: continuation.session, counts: countVerdicts(verdicts), verdicts, repaired };
}

/** One line a fact, in columns, and a last one that counts. */
export function toLines({ summary, verdicts }: Pick<Checked, "summary" | "verdicts">, colours: Colours): string {
  const placeOf = places(summary);
  const rows = verdicts.map((fact) => ({
    verdict: fact.verdict,
    cells: [fact.verdict, fact.kind, shorten(fact.text), fact.where ? placeOf(fact.where.start) : "-", shorten(fact.why)],
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

/** On one line. */
function shorten(text: string): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length > SHOWN_CHARACTERS ? `${points.slice(0, SHOWN_CHARACTERS - 1).join("")}…` : points.join("");
}

/** Offset → line:column, counted from 1 as editors do. */
function places(text: string): (offset: number) => string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return `${line + 1}:${offset - (starts[line] as number) + 1}`;
  };
}
