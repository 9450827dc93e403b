// The rules of a project, whatever state they are in.
import { builtInRules, type LoadedRules, loadRules } from "../rules/load.js";
import type { Log } from "./log.js";

/** A broken configuration must not cost the session its facts, nor bring to light what a team masks. */
export function loadOrFallBack(folder: string, log: Log): LoadedRules {
  const loaded = loadRules(folder);
  const fault = loaded.diagnostics.find(({ severity }) => severity === "error");
  if (!fault) return loaded;
  const own = builtInRules(folder);
  const known = new Set(own.packs.packs.map(({ file }) => file));
  const masked = new Set(own.rules.redactions.flatMap(({ regex }) => regex.map(({ source }) => source)));
  const added = loaded.rules.redactions.filter(({ regex }) => regex.some(({ source }) => !masked.has(source)));
  const place = fault.at ? `${fault.at.file}:${fault.at.line}:${fault.at.column} ` : "";
  const also =
    added.length > 0 ? `, and ${added.length === 1 ? "one redaction" : `${added.length} redactions`} of the team's` : "";
  log("warn", `${place}${fault.message} [${fault.code}]; the built-in packs are used${also}`);
  return {
    ...own,
    rules: { ...own.rules, redactions: [...own.rules.redactions, ...added] },
    // What was found is stored by what packs say: with other redactions it is another set of them.
    packs: { ...own.packs, packs: [...own.packs.packs, ...loaded.packs.packs.filter(({ file }) => !known.has(file))] },
    enabled: loaded.enabled,
  };
}
