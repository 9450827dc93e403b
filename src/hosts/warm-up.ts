// What takes long the first times, done before somebody waits for it.
import { extractInSteps } from "../extract/extract.js";
import type { Steps } from "../extract/steps.js";
import { toMemory, withMemory } from "../keep/memory.js";
import { repairInSteps } from "../keep/repair.js";
import { render } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { rehearsal } from "./rehearsal.js";

export function* warmUp(rules: RuleSet, round: number): Steps<void> {
  const template = (id: string) => rules.templates.get(id) as Template;
  const session = rehearsal(rules, round);
  const sample = yield* extractInSteps(session, rules);
  yield;
  render(sample, template("injection"), rules);
  yield;
  yield* repairInSteps(sample, session.messages[round]?.text ?? "", template("repair"), { rules });
  // Later compactions find the same messages, as copies, and what is remembered.
  const memory = toMemory(session.id, round, sample);
  const again = yield* extractInSteps(structuredClone(session), rules);
  yield;
  render(withMemory(again, memory, session), template("injection"), rules);
}
