// A template by its name.
import { didYouMean } from "../config/suggest.js";
import { builtInRules, type LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { Failure } from "./failure.js";

export function findTemplate(name: string, { rules }: LoadedRules): Template {
  const template = rules.templates.get(name);
  if (template) return template;
  const hint = didYouMean(name, rules.templates.keys());
  const builtIn = hint === undefined && builtInRules().rules.templates.has(name);
  throw new Failure(`there is no template "${name}"`, builtIn ? "it is built in: extend compaction:recommended" : hint);
}
