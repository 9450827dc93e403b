// The continuation: what the project's notes say, and where it is in its workflow.
import type { Gap, Notice, ProjectFile, SaidSection, WorkflowState, WorkItem } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readNotes } from "../source/notes.js";
import { findGaps } from "./gaps.js";
import { createLookup, sayOf } from "./lookup.js";
import { entriesOf } from "./read-source.js";
import { toNote } from "./reads.js";
import { sayLines } from "./say.js";
import { fileSource, findWork, toState } from "./work.js";

export interface Continued {
  readonly sections: readonly SaidSection[];
  readonly workflow?: WorkflowState;
  readonly gaps: readonly Gap[];
  readonly notices: readonly Notice[];
}

export interface Project {
  readonly files: readonly ProjectFile[];
  readonly items: readonly WorkItem[];
  /** Files that the conversation changed. */
  readonly changed: readonly string[];
}

export function continueProject({ files, items, changed }: Project, rules: RuleSet): Continued {
  const notices: Notice[] = [];
  const notes = files.map((file) => {
    const source = fileSource(file);
    const stretches = entriesOf(source, rules);
    const { left } = stretches;
    if (left > 0)
      notices.push({ code: "notes-cut", message: `${left} characters of older notes are not read`, source: file.path, count: 1 });
    const aside = rules.files.some(({ id, state }) => id === file.name && !state);
    return toNote(source, readNotes(file.text, stretches), aside);
  });
  const work = findWork(items, notes, rules);
  const lookup = createLookup(notes, work, changed, rules);
  const sections = rules.said.flatMap(({ id, title, say, of, max, optional }): readonly SaidSection[] => {
    if (!say || (of === "workflow" && !work)) return [];
    const lines = sayLines(sayOf(id, say, work), max, lookup(id));
    return optional && lines.length === 0 ? [] : [{ id, title, ...(of && { of }), lines }];
  });
  return { sections, ...(work && { workflow: toState(work) }), gaps: findGaps(rules, notes), notices };
}
