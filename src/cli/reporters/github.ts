import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostics.js";

export function reportGithub(findings: readonly Diagnostic[]): string {
  return findings
    .map(({ code, severity, message, at, hint }) => {
      const place = at
        ? ` file=${property(fromWorkspace(at.file))},line=${at.line},col=${at.column},title=${code}`
        : ` title=${code}`;
      return `::${severity}${place}::${text(hint ? `${message}; ${hint}` : message)}\n`;
    })
    .join("");
}

const text = (value: string) => value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (value: string) => text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** An annotation is placed by the path from the checkout's root, wherever the command runs. */
const fromWorkspace = (file: string) => relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), file).replaceAll("\\", "/");
