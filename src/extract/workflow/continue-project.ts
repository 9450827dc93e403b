// Builds the project's part of the Continuation: what its notes say, where it is in its workflow, and what is missing.
import type { Gap, Item, Notice, SaidSection, WorkflowState, WorkItem } from "../../model.js";
import { SECTION_PREFIX } from "../../rules/compile/continuity.js";
import type { RuleSet, Section } from "../../rules/rule-set.js";
import { oneLine } from "../../text/forms.js";
import { toWords } from "../../text/words.js";
import { firstPhrase } from "../match/condition.js";
import { evidenceOf } from "../match/subject.js";
import { cutArtifacts, fileSource, findWork, toState } from "./find-work.js";
import { createLookup, sayOf } from "./lookup.js";
import type { ProjectNote } from "./project-notes.js";
import { type NotesText, readValues, sectionValues, toNote } from "./reads.js";
import { sayLines } from "./say.js";

export interface Continued {
  readonly sections: readonly SaidSection[];
  readonly workflow?: WorkflowState;
  readonly gaps: readonly Gap[];
}

/** The project's part of the Continuation, and notices about it. */
export interface ContinuedProject {
  readonly continued: Continued;
  /** The blockers of the sections, as facts. */
  readonly blockers: readonly Item[];
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
  const read = [...notes, ...(work?.evident.artifacts.values() ?? [])];
  const blockers = rules.said.flatMap(({ id, holds }) => {
    if (holds !== "blocker") return [];
    return (sections.find((section) => section.id === id)?.lines ?? []).flatMap((line) => toBlocker(line, id, read));
  });
  return { continued, blockers, notices: work ? cutArtifacts(work) : [] };
}

/** A section may find a blocker where no rule does: in a paragraph, or in the files of the work item. */
function toBlocker(text: string, section: string, notes: readonly NotesText[]): readonly Item[] {
  for (const { subjects } of notes) {
    const subject = subjects.find(({ segment }) => (segment.entry ?? 0) === 0 && oneLine(segment.text).includes(text));
    if (!subject) continue;
    const evidence = evidenceOf(subject, SECTION_PREFIX + section);
    return [{ kind: "blocker", text, fields: {}, score: NOTED_SCORE, by: "file", status: "active", evidence, also: [] }];
  }
  return [];
}

const NOTED_SCORE = 0.5;

// Finds what a team requires of its notes but is missing or malformed there.

export function findGaps({ sections, files, nothing }: RuleSet, notes: readonly NotesText[]): readonly Gap[] {
  return sections.flatMap((section): readonly Gap[] => {
    if (!section.required && section.shape.length === 0) return [];
    const found = sectionValues(section, notes, nothing);
    if (found.length === 0 && section.required && !isSaidToBeEmpty(section, notes))
      return [{ section: section.id, problem: "missing", source: sourcesOf(section, files) }];
    return section.shape.length === 0
      ? []
      : found.flatMap(({ subject, text }): readonly Gap[] => {
          // The shape is that of a field's value, not of its name.
          if (!subject || firstPhrase(section.shape, toWords(text))) return [];
          const { source } = subject;
          const { start, end } = subject.segment;
          return [
            { section: section.id, problem: "malformed", source: source.id, start, end, quote: source.text.slice(start, end) },
          ];
        });
  });
}

/** "Blockers: none" is not a gap, and neither is a list with all boxes ticked: somebody looked. */
const isSaidToBeEmpty = ({ read }: Section, notes: readonly NotesText[]) =>
  read !== undefined && readValues(read, notes, new Set()).length > 0;

function sourcesOf(section: Section, files: RuleSet["files"]): string {
  const names = (section.read?.ways ?? []).flatMap((way) => [
    ...(way.in.file ?? files.filter(({ state }) => state).map(({ id }) => id)),
  ]);
  return [...new Set(files.filter(({ id }) => names.includes(id)).map(({ path }) => path))].join(", ");
}
