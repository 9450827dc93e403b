// Findings → text. One file for each form.
import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostics.js";
import { workingFolder } from "../../working-folder.js";
import { reportGithub } from "./github.js";
import { reportJson } from "./json.js";
import { reportPretty } from "./pretty.js";

export const REPORTERS = ["pretty", "json", "github"] as const;

/** What is data, and nothing that a terminal shows. */
export const isData = (reporter: string) => reporter === "json";

/** @param texts file → its text, for code frames */
export function report(findings: readonly Diagnostic[], reporter: string, texts: ReadonlyMap<string, string>): string {
  const sorted = [...findings].sort(
    (a, b) =>
      compare(a.at?.file ?? "", b.at?.file ?? "") ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
  if (isData(reporter)) return reportJson(sorted);
  if (reporter === "github") return reportGithub(sorted);
  return reportPretty(sorted, texts);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The path as one would type it here. */
export function shownPath(file: string): string {
  const near = relative(workingFolder() ?? file, file);
  return near === "" || near.startsWith("..") ? file : near.replaceAll("\\", "/");
}
