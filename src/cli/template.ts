// A template by its name.
import { didYouMean } from "../config/suggest.js";
import type { LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { Failure } from "./failure.js";

export function findTemplate(name: string, { rules }: LoadedRules): Template {
  const template = rules.templates.get(name);
  if (!template) throw new Failure(`there is no template "${name}"`, didYouMean(name, rules.templates.keys()));
  return template;
}
