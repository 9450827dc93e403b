// compaction validate: checks the configuration and packs.
import { isBuiltIn } from "../config/load-pack.js";
import { unusedConfigs } from "../config/search-config.js";
import type { Code, Diagnostic } from "../diagnostics.js";
import { GUARD_PREFIX, testGuards } from "../guards/examples.js";
import { findingsOf } from "../render/lint.js";
import { type LoadedRules, loadRules, loadRulesFrom } from "../rules/load-rules.js";
import { counted } from "../text/forms.js";
import { type Arguments, oneOf } from "./input/arguments.js";
import { requireFolder } from "./input/project.js";
import { printReport, REPORTERS } from "./output/report.js";
import { CommandError, EXIT, say } from "./output/terminal.js";

/** Findings that mean that a file named on the command line could not be read. */
const UNREAD: readonly Code[] = ["file-missing", "file-too-large", "file-unreadable"];

export function validate(given: Arguments): number {
  const { values, positionals } = given;
  const reporter = oneOf(given, "reporter", REPORTERS, given.flags.json ? "json" : "pretty");
  const folder = positionals.length > 0 ? undefined : requireFolder(values.project ?? process.cwd());
  const loaded = folder === undefined ? positionals.map(loadRulesFrom) : [loadRules(folder)];
  for (const [index, file] of positionals.entries()) {
    const missing = loaded[index]?.packs.packs.at(-1)?.diagnostics.find(({ code }) => UNREAD.includes(code));
    if (missing) throw new CommandError(missing.message, `${file} was named on the command line`);
  }

  const findings = unique([
    ...loaded.flatMap(findingsOf),
    ...loaded.flatMap(guardFindings),
    ...(folder === undefined ? [] : unusedConfigs(folder)),
  ]);
  printReport(findings, reporter, loaded);
  if (reporter === "pretty") say(summary(findings, loaded));
  return findings.length > 0 ? EXIT.findings : EXIT.fine;
}

/** The examples of guards run with those of rules: of the user's own packs only, and not if something is broken. */
function guardFindings(loaded: LoadedRules): readonly Diagnostic[] {
  const isBroken = loaded.diagnostics.some(({ severity }) => severity === "error");
  const own = loaded.guards.flatMap(({ id }) => {
    const from = loaded.packs.guards.get(id)?.from("examples");
    return from && !isBuiltIn(from) ? [GUARD_PREFIX + id] : [];
  });
  return isBroken || own.length === 0 ? [] : testGuards(loaded, own, false).diagnostics;
}

/** A pack that several files extend is checked for each of them, but reported once. */
const unique = (findings: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(findings.map((one) => [JSON.stringify([one.at, one.code, one.message]), one])).values(),
];

function summary(findings: readonly Diagnostic[], loaded: readonly LoadedRules[]): string {
  const own = loaded.flatMap(({ packs, file }) => (file === undefined ? [] : packs.packs.filter((pack) => !isBuiltIn(pack))));
  const files = new Set(own.map(({ file }) => file));
  const where = files.size === 0 ? "" : ` in ${counted(files.size, "file")}`;
  if (findings.length > 0) return `\n${counted(findings.length, "finding")}${where}\n`;
  const rules = loaded.reduce((sum, { rules: set }) => sum + set.rules.length + set.redactions.length, 0);
  const checked = files.size === 0 ? "no .compactionrc here; the built-in packs" : counted(files.size, "file");
  return `${checked}, ${counted(rules, "rule")}: all is well\n`;
}
