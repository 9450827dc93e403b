// A section is read by a rule of its own: every item under its headings is a fact of its kind.
import type { Entry } from "../config/resolve.js";
import type { RuleFile, SectionFile } from "../generated/pack-file.js";

export const SECTION_PREFIX = "section:";

export function sectionRule(entry: Entry<SectionFile>): Entry<RuleFile> {
  const { headings, holds, score, task, examples } = entry.value;
  const value: RuleFile = {
    ...(holds && { emit: holds }),
    in: { node: [task ? "task" : "item"], ...(task && { task: [task] }), ...(headings && { under: headings }) },
    ...(score !== undefined && { score }),
    ...(examples && { examples }),
  };
  const place = (path: readonly (string | number)[]) => (path[0] === "in" ? ["headings", ...path.slice(2)] : path);
  return {
    id: SECTION_PREFIX + entry.id,
    value,
    from: entry.from,
    at: (path = [], what) => entry.at(place(path), what),
    within: (path, offset) => entry.within(place(path), offset),
  };
}
