// Formats findings as text, JSON or GitHub annotations.

import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILT_IN, rulesFolder } from "../../config/load-pack.js";
import type { Diagnostic, Position } from "../../diagnostics.js";
import { workingFolder } from "../../files/folders.js";
import { PACKAGE } from "../../hosts/setup.js";
import { type LoadedRules, ownRules } from "../../rules/load-rules.js";
import { redact } from "../../rules/redact/redact.js";
import { inOneLine } from "./lines.js";
import { coloursOf, print, printCommands, say } from "./terminal.js";

export const REPORTERS = ["pretty", "json", "github", "sarif"] as const;

export function printReport(findings: readonly Diagnostic[], reporter: string, loaded: readonly LoadedRules[]): void {
  const prints = reporter === "github" ? printCommands : reporter === "pretty" ? say : print;
  prints(report(findings, reporter, textsOf(loaded)));
}

/** @param texts the text of each file, for code frames */
export function report(findings: readonly Diagnostic[], reporter: string, texts: ReadonlyMap<string, string>): string {
  const sorted = [...findings].sort((a, b) => comparePlaces(a.at ?? NOWHERE, b.at ?? NOWHERE));
  return masked(formatted(sorted, reporter, texts)).replace(PASSWORD, (secret) => "*".repeat(secret.length));
}

/** What is printed of a file of a project, such as an id or its path, with secrets masked. */
export const masked = (text: string) => redact(text, ownRules().redactions);

function formatted(findings: readonly Diagnostic[], reporter: string, texts: ReadonlyMap<string, string>): string {
  if (reporter === "json") return reportJson(findings);
  if (reporter === "github") return reportGithub(findings);
  return reporter === "sarif" ? reportSarif(findings, fromWorkspace) : reportPretty(findings, texts);
}

/** The password of an address, also without a user. Reports are copied into issues and logs. */
const PASSWORD = /(?<=:\/\/[^\s:/]*:)[^\s"']+(?=@)|(?<=[?&]password=)[^\s"'&]+/g;

const NOWHERE: Position = { file: "", line: 0, column: 0 };
const comparePlaces = (a: Position, b: Position) =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;

/** The path as the user would type it in the current folder. */
export function shownPath(file: string): string {
  const near = relative(workingFolder() ?? file, file);
  return masked(near === "" || near.startsWith("..") ? file : near.replaceAll("\\", "/"));
}

function reportPretty(findings: readonly Diagnostic[], texts: ReadonlyMap<string, string>): string {
  const { red, yellow, dim, bold } = coloursOf();
  const files = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string) => {
    if (!files.has(file)) files.set(file, texts.get(file)?.split(/\r?\n/));
    return files.get(file);
  };
  return findings
    .map(({ code, severity, message, at, hint }) => {
      const place = at ? `${bold(`${shownPath(at.file)}:${at.line}:${at.column}`)} ` : "";
      const head = inOneLine(`${place}${severity === "error" ? red(severity) : yellow(severity)} ${dim(code)} ${message}`);
      const frame = at ? codeFrame(at, linesOf(at.file)) : "";
      return `${head}\n${frame}${hint ? `  ${dim("→")} ${inOneLine(hint)}\n` : ""}`;
    })
    .join("\n");
}

const FRAME_COLUMNS = 160;

/** The line with one above and one below it, and a mark under the column. */
function codeFrame({ line, column }: Position, lines: readonly string[] | undefined): string {
  if (!lines || lines[line - 1] === undefined) return "";
  const width = String(line + 1).length;
  // Show a very long line only around the column.
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

function reportJson(findings: readonly Diagnostic[]): string {
  const list = findings.map(({ code, severity, message, at, hint = "" }) => {
    const place = at && { file: shownPath(at.file), line: at.line, column: at.column };
    return { ...place, severity, code, message, hint: hint || undefined };
  });
  return `${JSON.stringify({ findings: list }, null, 2)}\n`;
}

const reportGithub = (findings: readonly Diagnostic[]): string =>
  findings
    .map(({ code, severity, message, at, hint }) => {
      const place = at
        ? ` file=${property(fromWorkspace(at.file))},line=${at.line},col=${at.column},title=${code}`
        : ` title=${code}`;
      return `::${severity}${place}::${text(hint ? `${message}; ${hint}` : message)}\n`;
    })
    .join("");

const text = (value: string) => value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (value: string) => text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** GitHub needs the path from the root of the checkout, wherever the command runs. */
const fromWorkspace = (file: string) => relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), file).replaceAll("\\", "/");

export function textsOf(loaded: readonly LoadedRules[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { packs, user } of loaded) {
    for (const { file, yaml } of [...packs.packs, ...(user ? [user] : [])]) texts.set(file, yaml.text);
    for (const { text, textFile } of packs.templates.values()) if (textFile) texts.set(textFile, text);
  }
  return texts;
}

// Where something comes from: the name of a built-in pack, or the path of a file.

/** @param base the folder that paths are relative to; the current folder by default */
export function originName(file: string, base?: string): string {
  if (file.startsWith(rulesFolder)) return BUILT_IN + relative(rulesFolder, file).replace(/\.yaml$/, "");
  return base === undefined ? shownPath(file) : masked(relative(base, file).replaceAll("\\", "/"));
}

export const originPlace = ({ file, line, column }: Position): string => `${originName(file)}:${line}:${column}`;

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** @param fromRoot the path from the root of the checkout */
function reportSarif(findings: readonly Diagnostic[], fromRoot: (file: string) => string): string {
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
