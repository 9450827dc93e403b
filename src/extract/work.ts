// The work that the project is in: which workflow, which item, which stage, and why.
import type { ProjectFile, Source, WorkflowState, WorkItem } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Workflow } from "../rules/workflow-set.js";
import { readNotes } from "../source/notes.js";
import { type Picked, pickItem, type Standing } from "./pick.js";
import { type Note, toNote } from "./reads.js";
import { type Evident, holds, namedStage, type Reached, reachedStage } from "./stage.js";

export interface Work {
  readonly workflow: Workflow;
  readonly picked: Picked;
  readonly reached: Reached;
  readonly evident: Evident;
}

/** A stage that the notes name decides the workflow; else the first workflow that has items. */
export function findWork(items: readonly WorkItem[], notes: readonly Note[], rules: RuleSet): Work | undefined {
  const itemsOf = ({ id }: Workflow) => items.filter(({ workflow }) => workflow === id);
  const active = rules.workflows.filter((workflow) => itemsOf(workflow).length > 0);
  const named = namedStage(active, notes);
  const workflow = named?.workflow ?? active[0];
  if (!workflow) return undefined;
  const known = new Map<WorkItem, Evident>();
  const evidentOf = (item: WorkItem): Evident => {
    const evident = known.get(item) ?? { artifacts: new Map(item.artifacts.filter(saysSomething).map(asNote)), notes };
    known.set(item, evident);
    return evident;
  };
  const standingOf = (item: WorkItem): Standing => {
    const evident = evidentOf(item);
    return {
      item,
      finished: workflow.finished.some((when) => holds(when, evident) !== undefined),
      stage: workflow.stages.indexOf(reachedStage(workflow, evident).stage),
      artifacts: evident.artifacts.size,
      modified: Math.max(0, ...item.artifacts.map(({ modified }) => modified)),
    };
  };
  const picked = pickItem(workflow, itemsOf(workflow), notes, standingOf);
  const evident = evidentOf(picked.item);
  return { workflow, picked, reached: named?.reached ?? reachedStage(workflow, evident), evident };
}

/** A file of headings' marks, rules and blanks says nothing (S3-11). */
const saysSomething = ({ text }: ProjectFile) => /[^#\-\s`_*]/.test(text);

function asNote(artifact: WorkItem["artifacts"][number]): readonly [string, Note] {
  const whole = { stretches: [{ start: 0, end: artifact.text.length }], left: 0 };
  return [artifact.name, toNote(fileSource(artifact), readNotes(artifact.text, whole))];
}

export const fileSource = ({ path, text, name }: ProjectFile): Source => ({
  id: path,
  ordinal: 0,
  role: "file",
  by: "file",
  text,
  ...(name !== undefined && { file: name }),
  places: new Set(),
});

export function toState({ workflow, picked: { item, why }, reached }: Work): WorkflowState {
  const artifact = item.artifacts.find(({ name }) => name === reached.stage.edits)?.path;
  return {
    type: workflow.id,
    stage: reached.stage.id,
    item: item.name,
    folder: item.folder,
    ...(artifact !== undefined && { artifact }),
    artifacts: item.artifacts.map(({ path }) => path),
    why: { item: why, stage: reached.why },
  };
}
