// The rules of a project, whatever state they are in.
import { builtInRules, type LoadedRules, loadRules } from "../rules/load.js";
import type { Log } from "./keeper.js";

/** A broken configuration must not cost the session its facts. */
export function loadOrFallBack(folder: string, log: Log): LoadedRules {
  const loaded = loadRules(folder);
  const fault = loaded.diagnostics.find(({ severity }) => severity === "error");
  if (!fault) return loaded;
  const place = fault.at ? `${fault.at.file}:${fault.at.line}:${fault.at.column} ` : "";
  log("warn", `${place}${fault.message} [${fault.code}]; the built-in packs are used`);
  return { ...builtInRules(folder), enabled: loaded.enabled };
}
