// An entry that only changes something: without an earlier one of the same id it has no effect, or an odd one.
import { isMap } from "./normalise.js";
import { didYouMean, nearest } from "./suggest.js";

/** What switches a fragment off, which is a text and no map. */
export const OFF = "off";

/** Of these keys a new entry has at least one; maps that are not here hold no maps. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  rules: ["emit"],
  cues: ["emit"],
  signals: ["match", "regex", "in"],
  sections: ["title"],
  categories: ["match"],
  tools: ["names", "refused"],
  shell: ["program"],
  lifecycle: ["counted"],
  audit: ["marks", "words"],
  files: ["path"],
  read: ["match", "regex", "in", "fields", "headings"],
  workflows: ["folder"],
  templates: ["file", "text"],
  options: ["offered", "taken", "labels"],
};

export function isPatch(map: string, value: unknown): boolean {
  if (!isMap(value)) return map === "words" && value === OFF;
  const needed = NEEDED[map] ?? [];
  return value.off === true || (needed.length > 0 && !needed.some((key) => key in value));
}

/** The id that was probably meant; what says something of its own may as well be meant as a new one. */
export function patchHint(map: string, id: string, value: unknown, known: Iterable<string>): string | undefined {
  const near = didYouMean(id, known);
  if (!isMap(value) || value.off === true) return near;
  const [last = "", ...others] = [...(NEEDED[map] ?? [])].reverse();
  const fresh = `a new one needs ${others.length > 0 ? `${others.reverse().join(", ")} or ${last}` : last}`;
  return near === undefined ? fresh : "match" in value || "regex" in value ? `${fresh}; ${near}` : near;
}

/** Stages that a change of a workflow names, which are not there: new ones have a condition, or notes may name them. */
export function unknownStages(before: unknown, value: unknown): readonly string[] {
  const [known, given] = [stagesOf(before), stagesOf(value)];
  const canBeNamed = [before, value].some((one) => isMap(one) && one.named !== undefined);
  return Object.keys(given).filter((id) => {
    const stage = given[id];
    if (Object.hasOwn(known, id) || !isMap(stage) || "when" in stage || stage.off === true) return false;
    return !canBeNamed || nearest(id, Object.keys(known)) !== undefined;
  });
}

export const stagesOf = (workflow: unknown): Readonly<Record<string, unknown>> =>
  isMap(workflow) && isMap(workflow.stages) ? workflow.stages : {};

/** A template stands in a file or in the pack: who says one of the two says it in the place of the other. */
export function withoutOtherText(before: object, value: object): object {
  const other = "file" in value ? "text" : "text" in value ? "file" : undefined;
  return Object.fromEntries(Object.entries(before).filter(([key]) => key !== other));
}
