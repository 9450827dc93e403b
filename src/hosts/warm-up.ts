// What takes long the first times, done before somebody waits for it.
import { extract } from "../extract/extract.js";
import { toMemory, withMemory } from "../keep/memory.js";
import { repair } from "../keep/repair.js";
import { render } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { rehearsal } from "./rehearsal.js";

export function warmUp(rules: RuleSet, round: number): void {
  const template = (id: string) => rules.templates.get(id) as Template;
  const session = rehearsal(rules, round);
  const sample = extract(session, rules);
  render(sample, template("injection"), rules);
  repair(sample, session.messages[round]?.text ?? "", template("repair"), rules);
  // Later compactions find the same messages, as copies, and what is remembered.
  const memory = toMemory(session.id, round, sample);
  render(withMemory(extract(structuredClone(session), rules), memory, session), template("injection"), rules);
}
