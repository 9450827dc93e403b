// Formats findings as SARIF 2.1.0, which code hosts show beside a change.
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../diagnostics.js";
import { PACKAGE } from "../../hosts/setup.js";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** @param fromRoot the path from the root of the checkout */
export function reportSarif(findings: readonly Diagnostic[], fromRoot: (file: string) => string): string {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const results = findings.map(({ code, severity, message, at, hint }) => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: hint ? `${message}; ${hint}` : message },
    ...(at && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: addressOf(fromRoot(at.file), at.file) },
            region: { startLine: at.line, startColumn: at.column },
          },
        },
      ],
    }),
  }));
  const driver = { name: PACKAGE, rules: codes.map((id) => ({ id })) };
  const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

/** Outside of the checkout, or on another drive, a file is named in full. */
const addressOf = (near: string, file: string) =>
  near.startsWith("../") || isAbsolute(near) ? pathToFileURL(file).href : near.split("/").map(encodeURIComponent).join("/");
