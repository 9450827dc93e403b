// The lists that a template asks for: of all others, nothing is shown and nothing is missed.
import type { RuleSet } from "../rules/rule-set.js";
import { parseTemplate, type TemplateToken } from "../rules/template-syntax.js";
import { LIST_NAMES, type ListName, listOf } from "./shape.js";

/** Who asks whether there is none of a list must be told the truth: that is use, too. */
export function usedLists(template: string, rules: RuleSet): ReadonlySet<ListName> {
  const names = new Set<ListName>();
  const visit = (tokens: readonly TemplateToken[], ofWorkflow: boolean) => {
    for (const token of tokens) {
      const isSection = token[0] === "#" || token[0] === "^";
      const name = isSection ? token[1].replace(/^has\./, "") : "";
      // The sections of a workflow are the project's state, too.
      if (name === "sections" && !ofWorkflow) for (const { holds } of rules.sections) names.add(holds ? listOf(holds) : "state");
      else if (name === "workflow") names.add("state");
      else if (name === "folders") names.add("changed");
      else if (name === "gone") names.add("deleted");
      else if (LIST_NAMES.includes(name as ListName)) names.add(name as ListName);
      if (Array.isArray(token[4])) visit(token[4], ofWorkflow || (token[0] === "#" && name === "workflow"));
    }
  };
  visit(parseTemplate(template), false);
  return names;
}
