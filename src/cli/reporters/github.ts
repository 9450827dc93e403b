import type { Diagnostic } from "../../diagnostics.js";
import { shownPath } from "./report.js";

export function reportGithub(findings: readonly Diagnostic[]): string {
  return findings
    .map(({ code, severity, message, at, hint }) => {
      const place = at
        ? ` file=${property(shownPath(at.file))},line=${at.line},col=${at.column},title=${code}`
        : ` title=${code}`;
      return `::${severity}${place}::${text(hint ? `${message}; ${hint}` : message)}\n`;
    })
    .join("");
}

const text = (value: string) => value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (value: string) => text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
