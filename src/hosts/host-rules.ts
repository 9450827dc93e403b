// Loads the rules of a project for a host, even if its configuration is broken.
import type { Diagnostic } from "../diagnostics.js";
import { builtInRules, type LoadedRules, loadRules, ownRules } from "../rules/load-rules.js";
import type { Log } from "./catcher.js";

/** With a broken configuration, falls back to the built-in packs, so that facts and the team's masking are not lost. */
export function loadOrFallBack(folder: string, log: Log): LoadedRules {
  const loaded = loadRules(folder);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  const positionText = ({ at }: Diagnostic) => (at ? `${at.file}:${at.line}:${at.column} ` : "");
  // An error in the settings for notes disables the notes and nothing else.
  const isOfSinks = ({ code, at }: Diagnostic) => code === "file-reach" || (at !== undefined && at.file === loaded.user?.file);
  for (const one of errors.filter(isOfSinks))
    log("warn", `${positionText(one)}${one.message} [${one.code}]; no notes are written there${one.hint ? `: ${one.hint}` : ""}`);
  const fault = errors.find((one) => !isOfSinks(one));
  if (!fault) return loaded;
  const own = builtInRules(folder);
  const masked = new Set(own.rules.redactions.flatMap(({ regex }) => regex.map(({ source }) => source)));
  const added = loaded.rules.redactions.filter(({ regex }) => regex.some(({ source }) => !masked.has(source)));
  const also =
    added.length > 0 ? `, and ${added.length === 1 ? "one redaction" : `${added.length} redactions`} of the team's` : "";
  log("warn", `${positionText(fault)}${fault.message} [${fault.code}]; the built-in packs are used${also}`);
  const { enabled, judge, sinks } = loaded;
  const guards = loaded.guards.filter((guard) => !guard.of);
  return { ...own, rules: { ...own.rules, redactions: [...own.rules.redactions, ...added] }, guards, enabled, judge, sinks };
}

const ownTemplates = () => ownRules().templates;

/** What a built-in template says. */
export const ownText = (template: string): string => (ownTemplates().get(template)?.text ?? "").trim();

/** Adds each built-in template that the configuration does not have: the product says these itself, and without the others the facts
 * could not be written down. */
export function withOwnTemplates(loaded: LoadedRules): LoadedRules {
  const { rules } = loaded;
  const missing = [...ownTemplates()].filter(([id]) => !rules.templates.has(id));
  if (missing.length === 0) return loaded;
  return { ...loaded, rules: { ...rules, templates: new Map([...rules.templates, ...missing]) } };
}
