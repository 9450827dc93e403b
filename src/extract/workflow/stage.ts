// Finds the stage that a work item has reached, and the stage that the notes name.
import type { Reason } from "../../model.js";
import type { Stage, When, Workflow } from "../../rules/workflow-set.js";
import { toSource } from "../../source/markdown/visible.js";
import type { Subject } from "../segments/subject.js";
import { outside, testCondition } from "../signals/condition.js";
import { type NotesText, notesFor } from "./reads.js";

/** The files of a work item and the project's notes. */
export type Evident = { readonly artifacts: ReadonlyMap<string, NotesText>; readonly notes: readonly NotesText[] };

export type Reached = { readonly stage: Stage; readonly why: Reason };

/** The last stage whose condition holds; otherwise the first stage. */
export function reachedStage({ stages }: Workflow, evident: Evident): Reached {
  for (const stage of [...stages].reverse()) {
    for (const when of stage.when) {
      const why = whyHolds(when, evident, stage.id);
      if (why) return { stage, why };
    }
  }
  return { stage: stages[0] as Stage, why: { by: "first" } };
}

/** Why a condition holds, of a stage; undefined if it does not. */
export function whyHolds(when: When, evident: Evident, stage = ""): Reason | undefined {
  if ("artifact" in when) {
    const note = evident.artifacts.get(when.artifact);
    return note && { by: "when", signal: when.artifact, source: note.source.id };
  }
  if ("names" in when) {
    const note = evident.artifacts.get(when.names);
    const mention = note && lastMention([note], stage, wholeName(stage), true);
    return mention && { by: "when", signal: stage, ...mention.place };
  }
  if ("all" in when) {
    const reasons = when.all.map((one) => whyHolds(one, evident, stage));
    return reasons.every((reason) => reason !== undefined) ? (reasons[0] ?? { by: "when" }) : undefined;
  }
  if ("none" in when) return when.none.some((one) => whyHolds(one, evident, stage)) ? undefined : { by: "when", signal: "none" };
  const { condition } = when;
  const holds = (subject: Subject) =>
    outside(condition.in, subject) === undefined && testCondition(condition, subject).is === "match";
  const [found] = notesFor(condition.in, [...evident.artifacts.values(), ...evident.notes]).flatMap(
    ({ subjects }) => subjects.find(holds) ?? [],
  );
  return found && { by: "when", signal: condition.match[0]?.source ?? found.segment.node, ...quotedPlaceOf(found) };
}

export function quotedPlaceOf({ source, segment: { start, end } }: Subject) {
  return { source: source.id, start, end, quote: source.text.slice(start, end) };
}

/** The stage that the notes name: the last one in the newest entry that names one. */
export function namedStage(
  workflows: readonly Workflow[],
  notes: readonly NotesText[],
): { workflow: Workflow; reached: Reached } | undefined {
  const found = workflows.flatMap((workflow) => {
    const asked = notes.filter(({ source }) => workflow.named.includes(source.file ?? ""));
    return workflow.stages.flatMap((stage) => {
      const mention = lastMention(asked, stage.id);
      return mention ? [{ workflow, stage, mention }] : [];
    });
  });
  const [best] = found.sort((a, b) => byPlace(a.mention, b.mention, notes));
  if (!best) return undefined;
  const { workflow, stage, mention } = best;
  return { workflow, reached: { stage, why: { by: "named", signal: stage.id, ...mention.place } } };
}

// Names of stages and folders in notes, as whole names: "fix" is not in "fixes-2" nor in "feature/fix".

interface Mention {
  readonly place: { readonly source: string; readonly start: number; readonly end: number; readonly quote: string };
  /** The number of newer entries. */
  readonly entry: number;
  /** Where the name itself is. */
  readonly at: number;
}

/** Does the name at this offset of the text count? */
export type Fits = (subject: Subject, at: number) => boolean;

/** The last mention in the newest entry that has one, in the first file that has one. */
export function lastMention(
  notes: readonly NotesText[],
  name: string,
  fits: Fits = wholeName(name),
  anyCase = false,
): Mention | undefined {
  for (const { subjects } of name === "" ? [] : notes) {
    let best: Mention | undefined;
    for (const subject of subjects) {
      const { segment } = subject;
      const { node, entry = 0 } = segment;
      if (node === "link" || (best && entry > best.entry)) continue;
      const lower = anyCase ? segment.text.toLowerCase() : segment.text;
      // In a few scripts, the lower case is longer, and offsets would shift.
      const text = lower.length === segment.text.length ? lower : segment.text;
      for (let found = text.indexOf(name); found >= 0; found = text.indexOf(name, found + 1)) {
        const at = toSource(segment.runs, found);
        if (best && entry === best.entry && at <= best.at) continue;
        if (fits(subject, found)) best = { place: quotedPlaceOf(subject), entry, at };
      }
    }
    if (best) return best;
  }
  return undefined;
}

/** Sorts by file, then the newest entry first, then the last mention first. */
export function byPlace(a: Mention, b: Mention, notes: readonly NotesText[]): number {
  const file = ({ place }: Mention) => notes.findIndex((note) => note.source.id === place.source);
  return file(a) - file(b) || a.entry - b.entry || b.at - a.at;
}

const PART = /[\p{L}\p{N}_-]/u;

/** Is the name not part of a longer name or of a path? The slash of a command does not make a path. */
const wholeName =
  (name: string): Fits =>
  ({ segment: { text } }, at) => {
    const before = text[at - 1] ?? " ";
    const command = before === "/" && !/[\p{L}\p{N}_./\\-]/u.test(text[at - 2] ?? " ");
    return !PART.test(before) && (command || !/[/.\\]/.test(before)) && endsThere(text, at + name.length, false);
  };

/** A full stop may follow a name, but a file extension belongs to it. */
export function endsThere(text: string, end: number, inPath: boolean): boolean {
  const next = text[end] ?? " ";
  if (PART.test(next) || (next === "/" && !inPath)) return false;
  return next !== "." || !/[\p{L}\p{N}_]/u.test(text[end + 1] ?? " ");
}
