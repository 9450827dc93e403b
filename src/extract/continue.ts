// The continuation: what the project's notes say, and where it is in its workflow.
import type { Gap, Notice, SaidSection, WorkflowState, WorkItem } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { findGaps } from "./gaps.js";
import { createLookup, sayOf } from "./lookup.js";
import type { ProjectNote } from "./project-notes.js";
import { toNote } from "./reads.js";
import { sayLines } from "./say.js";
import { cutArtifacts, fileSource, findWork, toState } from "./work.js";

export interface Continued {
  readonly sections: readonly SaidSection[];
  readonly workflow?: WorkflowState;
  readonly gaps: readonly Gap[];
}

/** The continuation, and what should be known of how it came about. */
export interface ContinuedProject {
  readonly continued: Continued;
  readonly notices: readonly Notice[];
}

export interface Project {
  readonly notes: readonly ProjectNote[];
  readonly items: readonly WorkItem[];
  /** Files that the conversation changed. */
  readonly changed: readonly string[];
}

export function continueProject({ notes: given, items, changed }: Project, rules: RuleSet): ContinuedProject {
  const notes = given.map(({ file, segments, aside }) => toNote(fileSource(file), () => segments, aside));
  const work = findWork(items, notes, rules);
  const lookup = createLookup(notes, work, changed, rules);
  const sections = rules.said.flatMap(({ id, title, say, of, max, optional }): readonly SaidSection[] => {
    if (!say || (of === "workflow" && !work)) return [];
    const lines = sayLines(sayOf(id, say, work), max, lookup(id));
    return optional && lines.length === 0 ? [] : [{ id, title, ...(of && { of }), lines }];
  });
  const continued = { sections, ...(work && { workflow: toState(work) }), gaps: findGaps(rules, notes) };
  return { continued, notices: work ? cutArtifacts(work) : [] };
}
