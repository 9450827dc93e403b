// What a compaction is said with, also for a configuration that extends nothing built in.
import { builtInRules, type LoadedRules } from "../rules/load.js";

const NEEDED = [
  "brief",
  "injection",
  "reminder",
  "repair",
  "standing",
  "carry",
  "note",
  "structured",
  "summary-first",
  "summary-update",
  "summary-request",
];

/** Templates that the packs do not have are the built-in ones: without them nothing that rules found would be kept. */
export function withOwnTemplates(loaded: LoadedRules): LoadedRules {
  const { rules } = loaded;
  const missing = NEEDED.filter((id) => !rules.templates.has(id));
  if (missing.length === 0) return loaded;
  const own = builtInRules().rules.templates;
  const templates = new Map([...rules.templates, ...[...own].filter(([id]) => missing.includes(id))]);
  return { ...loaded, rules: { ...rules, templates } };
}
