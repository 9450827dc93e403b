// The rules of a project, whatever state they are in.
import type { Diagnostic } from "../diagnostics.js";
import { builtInRules, type LoadedRules, loadRules } from "../rules/load.js";
import type { Log } from "./log.js";

/** A broken configuration must not cost the session its facts, nor bring to light what a team masks. */
export function loadOrFallBack(folder: string, log: Log): LoadedRules {
  const loaded = loadRules(folder);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  const placeOf = ({ at }: Diagnostic) => (at ? `${at.file}:${at.line}:${at.column} ` : "");
  // What is wrong with where notes are written costs the notes, and nothing else.
  const isOfSinks = ({ code, at }: Diagnostic) => code === "file-reach" || (at !== undefined && at.file === loaded.user?.file);
  for (const one of errors.filter(isOfSinks))
    log("warn", `${placeOf(one)}${one.message} [${one.code}]; no notes are written there${one.hint ? `: ${one.hint}` : ""}`);
  const fault = errors.find((one) => !isOfSinks(one));
  if (!fault) return loaded;
  const own = builtInRules(folder);
  const known = new Set(own.packs.packs.map(({ file }) => file));
  const masked = new Set(own.rules.redactions.flatMap(({ regex }) => regex.map(({ source }) => source)));
  const added = loaded.rules.redactions.filter(({ regex }) => regex.some(({ source }) => !masked.has(source)));
  const also =
    added.length > 0 ? `, and ${added.length === 1 ? "one redaction" : `${added.length} redactions`} of the team's` : "";
  log("warn", `${placeOf(fault)}${fault.message} [${fault.code}]; the built-in packs are used${also}`);
  return {
    ...own,
    rules: { ...own.rules, redactions: [...own.rules.redactions, ...added] },
    // What was found is stored by what packs say: with other redactions it is another set of them.
    packs: { ...own.packs, packs: [...own.packs.packs, ...loaded.packs.packs.filter(({ file }) => !known.has(file))] },
    enabled: loaded.enabled,
    sinks: loaded.sinks,
  };
}
