// Finds the project's current work: which workflow, which item, which stage, and why.
import { ARTIFACT_CHARACTERS } from "../../limits.js";
import type { Notice, ProjectFile, Source, WorkflowState, WorkItem } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Workflow } from "../../rules/workflow-set.js";
import { readNotes } from "../../source/notes/read-notes.js";
import { redact } from "../redact.js";
import { type ItemProgress, type Picked, pickItem } from "./pick-item.js";
import { type NotesText, toNote } from "./reads.js";
import { type Evident, namedStage, type Reached, reachedStage, whyHolds } from "./stage.js";

export interface Work {
  readonly workflow: Workflow;
  readonly picked: Picked;
  readonly reached: Reached;
  readonly evident: Evident;
}

/** A stage that the notes name decides the workflow; otherwise it is the first workflow that has items. */
export function findWork(given: readonly WorkItem[], notes: readonly NotesText[], rules: RuleSet): Work | undefined {
  const items = given.map((item) => maskedItem(item, (text) => redact(text, rules.redactions)));
  const itemsOf = ({ id }: Workflow) => items.filter(({ workflow }) => workflow === id);
  const active = rules.workflows.filter((workflow) => itemsOf(workflow).length > 0);
  const named = namedStage(active, notes);
  const workflow = named?.workflow ?? active[0];
  if (!workflow) return undefined;
  const known = new Map<WorkItem, Evident>();
  const evidentOf = (item: WorkItem): Evident => {
    const evident = known.get(item) ?? { artifacts: artifactNotes(item, (text) => text), notes };
    known.set(item, evident);
    return evident;
  };
  const standingOf = (item: WorkItem): ItemProgress => {
    const evident = evidentOf(item);
    return {
      item,
      finished: workflow.finished.some((when) => whyHolds(when, evident) !== undefined),
      stage: workflow.stages.indexOf(reachedStage(workflow, evident).stage),
      artifacts: evident.artifacts.size,
      modified: Math.max(0, ...item.artifacts.map(({ modified }) => modified)),
    };
  };
  const picked = pickItem(workflow, itemsOf(workflow), notes, standingOf);
  // Only the active item appears in the result, so mask secrets only there: masking all items would take too long.
  const evident = { artifacts: artifactNotes(picked.item, (text) => redact(text, rules.redactions)), notes };
  return { workflow, picked, reached: named?.reached ?? reachedStage(workflow, evident), evident };
}

/** A folder's name may hold a secret too. Notes that name the folder are masked in the same way. */
const maskedItem = (item: WorkItem, mask: (text: string) => string): WorkItem => ({
  ...item,
  name: mask(item.name),
  folder: mask(item.folder),
  artifacts: item.artifacts.map((artifact) => ({ ...artifact, path: mask(artifact.path) })),
});

/** A file with only heading marks, rules and blanks says nothing (S3-11). */
const saysSomething = ({ text }: ProjectFile) => /[^#\-\s`_*]/.test(text);

/** The artifacts that say something. Each is cut and masked on demand. */
function artifactNotes({ artifacts }: WorkItem, mask: (text: string) => string): ReadonlyMap<string, NotesText> {
  return new Map(
    artifacts.filter(saysSomething).map((artifact) => {
      let masked: string | undefined;
      const source: Source = {
        ...fileSource(artifact),
        get text() {
          masked ??= mask(artifact.text.slice(0, ARTIFACT_CHARACTERS));
          return masked;
        },
      };
      const whole = () => ({ stretches: [{ start: 0, end: source.text.length }], left: 0 });
      return [artifact.name, toNote(source, () => readNotes(source.text, whole()))];
    }),
  );
}

/** Counts from a cut file are too low, so a notice reports the cut. */
export function cutArtifacts({ picked }: Work): readonly Notice[] {
  return picked.item.artifacts
    .filter(({ text }) => text.length > ARTIFACT_CHARACTERS)
    .map(({ path }) => ({
      code: "artifact-cut",
      message: `only the first ${ARTIFACT_CHARACTERS} characters are read`,
      source: path,
      count: 1,
    }));
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
