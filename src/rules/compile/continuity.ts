// Compiles the notes files, sections and workflows of packs.

import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { ReadFile, RuleFile, SectionFile } from "../../generated/pack-file.js";
import type { Section } from "../rule-set.js";
import { BUILT_IN_NAMES, type NotesFile } from "../workflow-set.js";
import type { Conditions } from "./conditions.js";
import { createReads, fieldPhrase } from "./reads.js";
import { createWorkflows, pathFault } from "./workflow.js";

export function createContinuity(packs: Resolved, conditions: Conditions, report: Report) {
  const { phrases } = conditions;
  const reads = createReads(packs, conditions, report);
  const names = [...packs.read.keys(), ...packs.sections.keys(), ...BUILT_IN_NAMES];

  function files(): readonly NotesFile[] {
    const ofAll = (key: "entries" | "handoffs") =>
      packs.packs.flatMap((pack) => {
        const { yaml, body } = pack;
        const place = { at: () => yaml.locate([key]), from: () => pack, within: yaml.within };
        return phrases(place, [key], body[key], false);
      });
    const [entries, handoff] = [ofAll("entries"), ofAll("handoffs")];
    return [...packs.files].flatMap(([id, entry]) => {
      const { path = "", state = true, entry: own } = entry.value;
      if (path === "") {
        report(diagnostic("missing-key", `the file "${id}" needs a path`, entry.at()));
        return [];
      }
      const fault = pathFault(path, "the project");
      if (!fault) return [{ id, path, entry: own ? phrases(entry, ["entry"], own, false) : entries, handoff, state }];
      report(diagnostic("file-reach", fault, entry.at(["path"])));
      return [];
    });
  }

  /** The part of a section that the continuation uses. */
  function section(entry: PackEntry<SectionFile>): Omit<Section, "id" | "title" | "max" | "holds"> {
    const { value } = entry;
    const { headings, fields, file, entry: newest, say, of } = value;
    reads.knownFiles(entry, ["file"], file, []);
    const where = { ...(file && { file }), ...(newest && { entry: newest }) };
    const own: PackEntry<ReadFile> = {
      ...entry,
      value: { in: where, ...(headings && { headings }), ...(fields && { fields }) },
      at: (path = [], what) => entry.at(path[0] === "in" ? path.slice(1) : path, what),
    };
    if ((value.required || value.shape) && !headings && !fields) {
      const key = value.required ? "required" : "shape";
      report(diagnostic("missing-key", `"${key}" needs headings or fields to look for`, entry.at([key], "key")));
    }
    return {
      ...((say || of) && { say: reads.say(entry, ["say"], say, names) }),
      ...(of && { of }),
      optional: value.optional ?? false,
      always: value.always ?? false,
      required: value.required ?? false,
      shape: phrases(entry, ["shape"], value.shape, false),
      ...((headings || fields) && { read: reads.read(own, [], []) }),
    };
  }

  return {
    files,
    section,
    reads: () => new Map([...packs.read].map(([id, entry]) => [id, reads.read(entry, [], [...packs.read.keys()])])),
    workflows: () => createWorkflows(packs, conditions, reads, report),
  };
}

// Rules for reading a section: each item under its headings, and each value of its fields, is a fact of its kind.

export const SECTION_PREFIX = "section:";
/** Suffix of the id of the rule that reads a section's fields. */
export const FIELD_SUFFIX = ":field";

export function sectionRules(entry: PackEntry<SectionFile>): readonly PackEntry<RuleFile>[] {
  const { headings, fields, holds, role, score, task, not, examples } = entry.value;
  const common = { ...(holds && { emit: holds }), ...(score !== undefined && { score }) };
  const place = (path: readonly (string | number)[]) => (path[0] === "in" ? ["headings", ...path.slice(2)] : path);
  const items: PackEntry<RuleFile> = {
    id: SECTION_PREFIX + entry.id,
    value: {
      ...common,
      // An assistant's headings are just topics, so by default its items do not count, but its ticked boxes do.
      in: {
        ...((role || !task) && { role: role ?? ["user", "file"] }),
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
  const lines: PackEntry<RuleFile> = {
    ...items,
    id: SECTION_PREFIX + entry.id + FIELD_SUFFIX,
    value: {
      ...common,
      in: { role: role ?? ["file"], node: ["sentence", "item"] },
      match: [fieldPhrase(fields)],
      ...(not && { not }),
    },
    at: (path = [], what) => (path[0] === "not" ? entry.at(path, what) : entry.at(["fields"])),
    within: () => entry.at(["fields"]),
  };
  return headings || task ? [items, lines] : [lines];
}
