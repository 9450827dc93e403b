// Finds the stage that a work item has reached, and the stage that the notes name.
import type { Reason } from "../../model.js";
import type { Stage, When, Workflow } from "../../rules/workflow-set.js";
import { judge } from "../match/condition.js";
import { outside } from "../match/selector.js";
import type { Subject } from "../match/subject.js";
import { byPlace, lastMention } from "./mention.js";
import { type NotesText, subjectsFor } from "./reads.js";

/** The files of a work item and the project's notes. */
export interface Evident {
  /** Artifacts that say something, as notes. */
  readonly artifacts: ReadonlyMap<string, NotesText>;
  readonly notes: readonly NotesText[];
}

export interface Reached {
  readonly stage: Stage;
  readonly why: Reason;
}

/** The last stage whose condition holds; otherwise the first stage. */
export function reachedStage({ stages }: Workflow, evident: Evident): Reached {
  for (const stage of [...stages].reverse()) {
    for (const when of stage.when) {
      const why = whyHolds(when, evident);
      if (why) return { stage, why };
    }
  }
  return { stage: stages[0] as Stage, why: { by: "first" } };
}

/** Why a condition holds; undefined if it does not. */
export function whyHolds(when: When, evident: Evident): Reason | undefined {
  if ("artifact" in when) {
    const note = evident.artifacts.get(when.artifact);
    return note && { by: "when", signal: when.artifact, source: note.source.id };
  }
  if ("all" in when) {
    const reasons = when.all.map((one) => whyHolds(one, evident));
    return reasons.every((reason) => reason !== undefined) ? (reasons[0] ?? { by: "when" }) : undefined;
  }
  if ("none" in when) return when.none.some((one) => whyHolds(one, evident)) ? undefined : { by: "when", signal: "none" };
  const { condition } = when;
  const found = subjectsFor(condition.in, [...evident.artifacts.values(), ...evident.notes]).find(
    (subject) => outside(condition.in, subject) === undefined && judge(condition, subject).is === "match",
  );
  return found && placed(found, condition.match[0]?.source);
}

function placed({ source, segment }: Subject, signal: string | undefined): Reason {
  const { start, end, node } = segment;
  return { by: "when", signal: signal ?? node, source: source.id, start, end, quote: source.text.slice(start, end) };
}

/** The stage that the notes name: the last one in the newest entry that names one. */
export function namedStage(
  workflows: readonly Workflow[],
  notes: readonly NotesText[],
): { workflow: Workflow; reached: Reached } | undefined {
  const stages = workflows.flatMap((workflow) => workflow.stages.map((stage) => ({ workflow, stage })));
  const found = stages.flatMap(({ workflow, stage }) => {
    const mention = lastMention(
      notes.filter(({ source }) => workflow.named.includes(source.file ?? "")),
      stage.id,
    );
    return mention ? [{ workflow, stage, mention }] : [];
  });
  const [best] = found.sort((a, b) => byPlace(a.mention, b.mention, notes));
  if (!best) return undefined;
  const { entry: _, at: __, ...place } = best.mention;
  return { workflow: best.workflow, reached: { stage: best.stage, why: { by: "named", signal: best.stage.id, ...place } } };
}
