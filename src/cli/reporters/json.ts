import type { Diagnostic } from "../../diagnostics.js";
import { shownPath } from "./report.js";

export function reportJson(findings: readonly Diagnostic[]): string {
  const list = findings.map(({ code, severity, message, at, hint }) => ({
    ...(at && { file: shownPath(at.file), line: at.line, column: at.column }),
    severity,
    code,
    message,
    ...(hint && { hint }),
  }));
  return `${JSON.stringify({ findings: list }, null, 2)}\n`;
}
