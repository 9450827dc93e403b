// What packs say of notes, sections and workflows → what runs.
import type { Entry, Resolved } from "../config/resolve.js";
import { diagnostic, type Report } from "../diagnostics.js";
import type { ReadFile, SectionFile } from "../generated/pack-file.js";
import { createReads } from "./compile-read.js";
import { createWorkflows } from "./compile-workflow.js";
import type { Conditions } from "./conditions.js";
import type { Section } from "./rule-set.js";
import { staysInside } from "./workflow-parts.js";
import { BUILT_IN_NAMES, type NotesFile } from "./workflow-set.js";

export function createContinuity(packs: Resolved, conditions: Conditions, report: Report) {
  const { phrases } = conditions;
  const reads = createReads(packs, conditions, report);
  const names = [...packs.read.keys(), ...packs.sections.keys(), ...BUILT_IN_NAMES];

  function files(): readonly NotesFile[] {
    const entries = packs.packs.flatMap((pack) => {
      const { yaml, body } = pack;
      const place = { at: () => yaml.locate(["entries"]), from: () => pack, within: yaml.within };
      return phrases(place, ["entries"], body.entries, false);
    });
    return [...packs.files].flatMap(([id, entry]) => {
      const { path = "", state = true, entry: own } = entry.value;
      if (path === "") {
        report(diagnostic("missing-key", `the file "${id}" needs a path`, entry.at()));
        return [];
      }
      if (staysInside(path)) return [{ id, path, entry: own ? phrases(entry, ["entry"], own, false) : entries, state }];
      report(diagnostic("file-reach", `"${path}" is not inside of the project`, entry.at(["path"])));
      return [];
    });
  }

  /** What the continuation needs to know of a section. */
  function section(entry: Entry<SectionFile>): Omit<Section, "id" | "title" | "max" | "holds"> {
    const { value } = entry;
    const { headings, fields, file, entry: newest, say, of } = value;
    reads.knownFiles(entry, ["file"], file, []);
    const where = { ...(file && { file }), ...(newest && { entry: newest }) };
    const own: Entry<ReadFile> = {
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
