import type { Diagnostic, Position } from "../../diagnostics.js";
import { coloursFor } from "../terminal.js";
import { shownPath } from "./report.js";

export function reportPretty(findings: readonly Diagnostic[], texts: ReadonlyMap<string, string>): string {
  // Even naming the stream loads it.
  if (findings.length === 0) return "";
  const { red, yellow, dim, bold } = coloursFor(process.stdout);
  const files = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string) => {
    if (!files.has(file)) files.set(file, texts.get(file)?.split(/\r?\n/));
    return files.get(file);
  };
  return findings
    .map(({ code, severity, message, at, hint }) => {
      const place = at ? `${bold(`${shownPath(at.file)}:${at.line}:${at.column}`)} ` : "";
      const head = `${place}${severity === "error" ? red(severity) : yellow(severity)} ${dim(code)} ${message}\n`;
      return head + (at ? codeFrame(at, linesOf(at.file)) : "") + (hint ? `  ${dim("→")} ${hint}\n` : "");
    })
    .join("\n");
}

const FRAME_COLUMNS = 160;

/** The line with one above and one below it, and a mark under the column. */
function codeFrame({ line, column }: Position, lines: readonly string[] | undefined): string {
  if (!lines || lines[line - 1] === undefined) return "";
  const width = String(line + 1).length;
  // A very long line is shown around the column.
  const from = column > FRAME_COLUMNS ? column - FRAME_COLUMNS / 2 : 0;
  const shown = (number: number) => {
    const content = lines[number - 1];
    return content === undefined || (number > line && content === "")
      ? []
      : [`${number === line ? ">" : " "} ${String(number).padStart(width)} | ${content.slice(from, from + FRAME_COLUMNS)}`];
  };
  const before = (lines[line - 1] as string).slice(from, column - 1).replace(/[^\t]/g, " ");
  const mark = `  ${" ".repeat(width)} | ${before}^`;
  return `${[...shown(line - 1), ...shown(line), mark, ...shown(line + 1)].map((row) => `  ${row.trimEnd()}`).join("\n")}\n`;
}
