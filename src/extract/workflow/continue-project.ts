// Builds the project's part of the Continuation: what its notes say, where it is in its workflow, and what is missing.
import type { Continuation, Gap, Item, Notice, SaidSection, WorkItem } from "../../model.js";
import { SECTION_PREFIX } from "../../rules/compile/continuity.js";
import { firstPhrase } from "../../rules/phrase/match-phrase.js";
import type { RuleSet, Section } from "../../rules/rule-set.js";
import { literalOf, type SayText } from "../../rules/template/say-text.js";
import { type Late, STAGES, type Steps } from "../../steps.js";
import { oneLine } from "../../text/forms.js";
import { toWords } from "../../text/words.js";
import { lateNotice, type ProjectNote } from "../notes/project-notes.js";
import { evidenceOf, type Subject } from "../segments/subject.js";
import { fileSource, findWork, toState, unreadArtifacts } from "./find-work.js";
import { type NotesText, readValues, sectionValues, toNote } from "./reads.js";
import { createLookup, sayLines, sayOf } from "./say.js";
import { quotedPlaceOf } from "./stage.js";

interface Project {
  readonly notes: readonly ProjectNote[];
  readonly items: readonly WorkItem[];
  readonly changed: readonly string[];
}

interface ContinuedProject {
  readonly continued: Pick<Continuation, "sections" | "workflow" | "gaps">;
  readonly blockers: readonly Item[];
  readonly notices: readonly Notice[];
}

/** The project's part of the Continuation, the blockers of its sections as facts, and notices. */
export function* continueProject(
  { notes: given, items, changed }: Project,
  rules: RuleSet,
  late?: Late,
): Steps<ContinuedProject> {
  const notes = given.map(({ file, segments, aside }) => toNote(fileSource(file), () => segments, aside));
  const work = findWork(items, notes, rules, late && (() => late(STAGES.project)));
  const unsearched = new Map<string, number>();
  const isLate = ({ source, segment }: Subject) => {
    if (!late?.(STAGES.project)) return false;
    unsearched.set(source.id, source.text.length - segment.start);
    return true;
  };
  const lookup = createLookup(notes, work, changed, rules, late && isLate);
  const said: SaidSection[] = [];
  const behind = new Map<string, readonly string[]>();
  for (const { id, title, say, of, max, optional, always } of rules.said) {
    if (!say || (of === "workflow" && !work)) continue;
    yield;
    const chosen = sayOf(id, say, work);
    const lines = sayLines(chosen, max, lookup(id));
    if (always && chosen !== say) behind.set(id, sayLines(say.map(ofNotes), max, lookup(id)));
    if (lines.length > 0 || !optional) said.push({ id, title, ...(of && { of }), lines });
  }
  // A line that the workflow has in a section of its own, such as an approval, is said there only.
  const told = new Set(said.flatMap(({ of, lines }) => (of === "workflow" ? lines : [])));
  const sections = said.map((section): SaidSection => {
    const more = (behind.get(section.id) ?? []).filter((line) => !told.has(line));
    return { ...section, lines: [...new Set([...section.lines, ...more])] };
  });
  const continued = { sections, ...(work && { workflow: toState(work) }), gaps: findGaps(rules, notes) };
  const read = [...notes, ...(work?.evident.artifacts.values() ?? [])];
  const blockers = rules.said.flatMap(({ id, holds }) => {
    if (holds !== "blocker") return [];
    return (sections.find((section) => section.id === id)?.lines ?? []).flatMap((line) => toBlocker(line, id, read));
  });
  const notices = work ? unreadArtifacts(work) : aimless(sections, notes, rules);
  return { continued, blockers, notices: [...notices, ...[...unsearched].map(([path, count]) => lateNotice(path, count))] };
}

/** Without the texts for notes that say nothing. */
const ofNotes = (choice: readonly SayText[]) => choice.filter((text) => literalOf(text) === undefined);

/** The first section says what the work is for. If the notes do not tell, its words are those of the pack. */
function aimless([aim]: readonly SaidSection[], notes: readonly NotesText[], { said }: RuleSet): readonly Notice[] {
  const read = notes.find(({ aside }) => !aside);
  const say = said.find(({ id }) => id === aim?.id)?.say ?? [];
  if (!read || !aim || !say.flat().some((text) => literalOf(text) === aim.lines[0])) return [];
  return [
    {
      code: "objective-unknown",
      message: `nothing in it gives the ${aim.title}; a fallback is used`,
      source: read.source.id,
      count: 1,
    },
  ];
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

function findGaps({ sections, files, nothing }: RuleSet, notes: readonly NotesText[]): readonly Gap[] {
  return sections.flatMap((section): readonly Gap[] => {
    if (!section.required && section.shape.length === 0) return [];
    const found = sectionValues(section, notes, nothing);
    if (found.length === 0 && section.required && !isSaidToBeEmpty(section, notes))
      return [{ section: section.id, problem: "missing", source: sourcesOf(section, files) }];
    // The shape is that of a field's value, not of its name.
    const isMalformed = (text: string) => section.shape.length > 0 && !firstPhrase(section.shape, toWords(text));
    return found.flatMap(({ subject, text }): readonly Gap[] =>
      subject && isMalformed(text) ? [{ section: section.id, problem: "malformed", ...quotedPlaceOf(subject) }] : [],
    );
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
