// Merges a pack over earlier ones, and recognises entries that only change an earlier entry of the same id.
import { nearest } from "../text/did-you-mean.js";
import { isMap } from "./normalise.js";
import type { Path } from "./parse-yaml.js";

/** Switches a fragment off. A fragment is a text, so it has no `off` key. */
export const OFF = "off";

/** A new entry has at least one of these keys. The entries of maps that are not listed are not maps. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  rules: ["emit"],
  cues: ["emit"],
  signals: ["match", "regex", "in"],
  sections: ["title"],
  categories: ["match", "otherwise"],
  tools: ["names", "refused"],
  shell: ["program"],
  lifecycle: ["counted"],
  audit: ["marks", "words"],
  files: ["path"],
  read: ["match", "regex", "in", "fields", "headings"],
  workflows: ["folder"],
  templates: ["file", "text"],
  options: ["offered", "taken", "labels"],
  updates: ["signal"],
};

export function isPatch(map: string, value: unknown): boolean {
  if (!isMap(value)) return map === "words" && value === OFF;
  const needed = NEEDED[map] ?? [];
  return value.off === true || (needed.length > 0 && !needed.some((key) => key in value));
}

/** Adds to a suggestion that an entry with its own content may also be new. */
export function patchHint(map: string, value: unknown, near: string | undefined): string | undefined {
  if (!isMap(value) || value.off === true) return near;
  const [last = "", ...others] = [...(NEEDED[map] ?? [])].reverse();
  const fresh = `a new one needs ${others.length > 0 ? `${others.reverse().join(", ")} or ${last}` : last}`;
  return near === undefined ? fresh : "match" in value || "regex" in value ? `${fresh}; ${near}` : near;
}

/** Unknown stages in a workflow change. A new stage has a condition, or notes can name it and it is not a misspelling. */
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

/** A template is in a file or in the pack. Setting one removes the other. */
export function withoutOtherText(before: object, value: object): object {
  const other = "file" in value ? "text" : "text" in value ? "file" : undefined;
  return Object.fromEntries(Object.entries(before).filter(([key]) => key !== other));
}

export function hasPath(value: unknown, path: Path): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    hasPath((value as Record<string, unknown>)[key], rest)
  );
}

export function mergeMaps(before: unknown, after: unknown): object {
  const result = new Map(Object.entries(before as object));
  for (const [key, value] of Object.entries(after as object)) {
    const earlier = result.get(key);
    result.set(key, isMap(value) && isMap(earlier) ? mergeMaps(earlier, value) : value);
  }
  return Object.fromEntries(result);
}
