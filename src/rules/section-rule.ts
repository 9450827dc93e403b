// A section is read by rules of its own: every item under its headings is a fact of its kind, and so is what a field says.
import type { Entry } from "../config/resolve.js";
import type { RuleFile, SectionFile } from "../generated/pack-file.js";
import { toLiteral } from "./phrase-syntax.js";

export const SECTION_PREFIX = "section:";
/** Behind the id of a section's rule for its fields. */
export const FIELD_SUFFIX = ":field";

export function sectionRules(entry: Entry<SectionFile>): readonly Entry<RuleFile>[] {
  const { headings, fields, holds, score, task, not, examples } = entry.value;
  const common = { ...(holds && { emit: holds }), ...(score !== undefined && { score }) };
  const place = (path: readonly (string | number)[]) => (path[0] === "in" ? ["headings", ...path.slice(2)] : path);
  const items: Entry<RuleFile> = {
    id: SECTION_PREFIX + entry.id,
    value: {
      ...common,
      // An assistant's headings tell of what it talks about, not of what holds; a box that it ticks is said.
      in: {
        ...(!task && { role: ["user", "file"] }),
        node: [task ? "task" : "item"],
        ...(task && { task: [task] }),
        ...(headings && { under: headings }),
      },
      ...(not && { not }),
      ...(examples && { examples }),
    },
    from: entry.from,
    at: (path = [], what) => entry.at(place(path), what),
    within: (path, offset) => entry.within(place(path), offset),
  };
  if (!fields) return [items];
  const lines: Entry<RuleFile> = {
    ...items,
    id: SECTION_PREFIX + entry.id + FIELD_SUFFIX,
    value: { ...common, in: { role: ["file"], node: ["sentence", "item"] }, match: [fieldPhrase(fields)], ...(not && { not }) },
    at: (path = [], what) => (path[0] === "not" ? entry.at(path, what) : entry.at(["fields"])),
    within: () => entry.at(["fields"]),
  };
  return headings || task ? [items, lines] : [lines];
}

/** `Name: value`, for any of the names. */
export const fieldPhrase = (names: readonly string[]) => `^(${alternatives(names)}): {text:rest}`;
/** `Name:`, which introduces a list. */
export const leadPhrase = (names: readonly string[]) => `^(${alternatives(names)}) [...] :$`;

const alternatives = (names: readonly string[]) => names.map(toLiteral).join("|");
