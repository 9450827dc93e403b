// A template by its name.
import { didYouMean } from "../config/suggest.js";
import { builtInRules, type LoadedRules } from "../rules/load.js";
import type { Template } from "../rules/rule-set.js";
import { effective } from "./effective.js";
import { Failure } from "./failure.js";
import { originPlace } from "./origin.js";

export function findTemplate(name: string, loaded: LoadedRules): Template {
  const { templates } = loaded.rules;
  const template = templates.get(name);
  if (template) return template;
  const off = effective("templates", loaded).find(({ id, on }) => id === name && !on);
  if (off) throw new Failure(`the template "${name}" is switched off`, `at ${originPlace(off.at)}`);
  const builtIn = builtInRules().rules.templates.has(name);
  const hint = builtIn ? "it is built in: extend compaction:recommended" : didYouMean(name, templates.keys());
  throw new Failure(`there is no template "${name}"`, hint);
}
