// Finds the project's current work: which workflow, which item, which stage, and why.
import { ARTIFACT_CHARACTERS, SEGMENT_MATCHES } from "../../limits.js";
import type { Notice, ProjectFile, Reason, Source, WorkflowState, WorkItem } from "../../model.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import { toLiteral } from "../../rules/phrase/parse-phrase.js";
import { compilePhrase, type Phrase } from "../../rules/phrase/phrase.js";
import { redact, redactStart } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { NEWEST, type Workflow } from "../../rules/workflow-set.js";
import { allEntries } from "../../source/notes/cut-entries.js";
import type { LogTest } from "../../source/notes/log-marks.js";
import { readNotes } from "../../source/notes/read-notes.js";
import { rememberFor } from "../../text/remember.js";
import { anyLogTest, lateNotice } from "../notes/project-notes.js";
import type { Subject } from "../segments/subject.js";
import { type NotesText, toNote } from "./reads.js";
import {
  byPlace,
  type Evident,
  endsThere,
  type Fits,
  lastMention,
  namedStage,
  type Reached,
  reachedStage,
  whyHolds,
} from "./stage.js";

export interface Work {
  readonly workflow: Workflow;
  readonly picked: Picked;
  readonly reached: Reached;
  readonly evident: Evident;
  /** Characters of its artifacts that were not read because time was up. */
  readonly unread: ReadonlyMap<string, number>;
}

/** A stage that the notes name decides the workflow; otherwise it is the first workflow that has items. */
export function findWork(
  given: readonly WorkItem[],
  notes: readonly NotesText[],
  rules: RuleSet,
  late?: () => boolean,
): Work | undefined {
  const mask = (text: string) => redact(text, rules.redactions);
  const items = given.map((item) => maskedItem(item, mask));
  const itemsOf = ({ id }: Workflow) => items.filter(({ workflow }) => workflow === id);
  const active = rules.workflows.filter((workflow) => itemsOf(workflow).length > 0);
  const named = namedStage(active, notes);
  const workflow = named?.workflow ?? active[0];
  if (!workflow) return undefined;
  const test = anyLogTest(rules.files);
  const progressOf = (item: WorkItem): ItemProgress => {
    const evident = { artifacts: artifactNotes(item, (text) => text, test, late), notes };
    return {
      item,
      finished: workflow.finished.some((when) => whyHolds(when, evident) !== undefined),
      stage: workflow.stages.indexOf(reachedStage(workflow, evident).stage),
      artifacts: evident.artifacts.size,
      modified: Math.max(0, ...item.artifacts.map(({ modified }) => modified)),
    };
  };
  const picked = pickItem(workflow, itemsOf(workflow), notes, progressOf);
  // Only the active item appears in the result, so mask secrets only there: masking all items would take too long.
  const unread = new Map<string, number>();
  const evident = { artifacts: artifactNotes(picked.item, mask, test, late, unread), notes };
  return { workflow, picked, reached: named?.reached ?? reachedStage(workflow, evident), evident, unread };
}

/** A folder's name may hold a secret too. Notes that name the folder are masked in the same way. */
const maskedItem = (item: WorkItem, mask: (text: string) => string): WorkItem => ({
  ...item,
  name: mask(item.name),
  folder: mask(item.folder),
  artifacts: item.artifacts.map((artifact) => ({ ...artifact, path: mask(artifact.path) })),
});

/** A file with only heading marks, rules and blanks says nothing. */
const saysSomething = ({ text }: ProjectFile) => /[^#\-\s`_*]/.test(text);

/** The artifacts that say something. Each is cut and masked on demand. */
function artifactNotes(
  { artifacts }: WorkItem,
  mask: (text: string) => string,
  test: LogTest | undefined,
  late?: () => boolean,
  unread = new Map<string, number>(),
): ReadonlyMap<string, NotesText> {
  return new Map(
    artifacts.filter(saysSomething).map((artifact) => {
      let masked: string | undefined;
      const source: Source = {
        ...fileSource(artifact),
        get text() {
          masked ??= redactStart(artifact.text, ARTIFACT_CHARACTERS, mask);
          return masked;
        },
      };
      const read = () => {
        const reading = readNotes(source.text, allEntries(source.text, test), late);
        if (reading.unread > 0) unread.set(artifact.path, reading.unread);
        return reading.segments;
      };
      return [artifact.name, toNote(source, read)];
    }),
  );
}

/** Counts from a file that is not read to its end are too low, so notices report that. */
export function unreadArtifacts({ picked, unread }: Work): readonly Notice[] {
  const message = `only the first ${ARTIFACT_CHARACTERS} characters are read`;
  const cut = picked.item.artifacts.filter(({ text }) => text.length > ARTIFACT_CHARACTERS);
  return [
    ...cut.map(({ path }) => ({ code: "artifact-cut", message, source: path, count: 1 })),
    ...[...unread].map(([path, count]) => lateNotice(path, count)),
  ];
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

// Picks the active item of a workflow: the one that the notes name, else the one that is furthest along.

/** How far along an item is: finished items come last, then by stage, artifacts, time and folder. */
interface ItemProgress {
  readonly item: WorkItem;
  readonly finished: boolean;
  readonly stage: number;
  readonly artifacts: number;
  readonly modified: number;
}

type Picked = { readonly item: WorkItem; readonly why: Reason };

function pickItem(
  workflow: Workflow,
  items: readonly WorkItem[],
  notes: readonly NotesText[],
  progressOf: (item: WorkItem) => ItemProgress,
): Picked {
  const { named } = workflow;
  const asked = notes.filter(({ source, aside }) => (named.length > 0 ? named.includes(source.file ?? "") : !aside));
  for (const phrase of workflow.pick) {
    if (phrase === NEWEST) break;
    const mentions = items.flatMap((item) => {
      const mention = lastMention(asked, item.name, phrase === "{name}" ? undefined : fitsPhrase(phrase, item.name, workflow));
      return mention ? [{ item, mention }] : [];
    });
    const [best] = mentions.sort((a, b) => byPlace(a.mention, b.mention, asked));
    if (best) return { item: best.item, why: { by: "mention", signal: phrase, ...best.mention.place } };
  }
  const [best, next] = items.map(progressOf).sort(byProgress) as [ItemProgress, ItemProgress?];
  return { item: best.item, why: { by: next ? difference(best, next) : "only" } };
}

const byProgress = (a: ItemProgress, b: ItemProgress) =>
  Number(a.finished) - Number(b.finished) ||
  b.stage - a.stage ||
  b.artifacts - a.artifacts ||
  b.modified - a.modified ||
  (a.item.folder < b.item.folder ? -1 : 1);

function difference(best: ItemProgress, next: ItemProgress): Reason["by"] {
  if (best.finished !== next.finished || best.stage !== next.stage) return "stage";
  if (best.artifacts !== next.artifacts) return "artifacts";
  return best.modified !== next.modified ? "time" : "name";
}

/** Does the phrase, with the name filled in, cover this mention of the name? The phrase is matched once per text. */
function fitsPhrase(source: string, name: string, { stages }: Workflow): Fits {
  const known = `(${stages.map(({ id }) => toLiteral(id)).join("|")})`;
  let phrase: Phrase | undefined;
  const spansIn = rememberFor((subject: Subject) => {
    phrase ??= compilePhrase(source.replaceAll("{name}", () => toLiteral(name)).replaceAll("{stage}", () => known));
    return spansOf(phrase, subject);
  });
  return (subject, at) => {
    const { text } = subject.segment;
    const end = at + name.length;
    if (!endsThere(text, end, /[/\\]/.test(text[at - 1] ?? ""))) return false;
    return spansIn(subject).some((span) => span.start <= at && span.end >= end);
  };
}

function spansOf(phrase: Phrase, { words }: Subject) {
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (let from = 0; spans.length < SEGMENT_MATCHES; ) {
    const found = matchPhrase(phrase, words, from);
    if (!found) break;
    spans.push({ start: words.start[found.from] ?? 0, end: words.end[found.to - 1] ?? 0 });
    from = found.from + 1;
  }
  return spans;
}
