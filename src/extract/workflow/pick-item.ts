// Picks the active item of a workflow: the one that the notes name, else the one that is furthest along.
import { SEGMENT_MATCHES } from "../../limits.js";
import type { Reason, WorkItem } from "../../model.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import { toLiteral } from "../../rules/phrase/parse-phrase.js";
import { compilePhrase, type Phrase } from "../../rules/phrase/phrase.js";
import { NEWEST, type Workflow } from "../../rules/workflow-set.js";
import type { Subject } from "../match/subject.js";
import { byPlace, endsThere, type Fits, lastMention } from "./mention.js";
import type { NotesText } from "./reads.js";

/** How far along an item is: finished items come last, then by stage, artifacts, time and folder. */
export interface ItemProgress {
  readonly item: WorkItem;
  readonly finished: boolean;
  readonly stage: number;
  readonly artifacts: number;
  readonly modified: number;
}

export interface Picked {
  readonly item: WorkItem;
  readonly why: Reason;
}

export function pickItem(
  workflow: Workflow,
  items: readonly WorkItem[],
  notes: readonly NotesText[],
  standingOf: (item: WorkItem) => ItemProgress,
): Picked {
  const asked =
    workflow.named.length > 0
      ? notes.filter(({ source }) => workflow.named.includes(source.file ?? ""))
      : notes.filter(({ aside }) => !aside);
  for (const phrase of workflow.pick) {
    if (phrase === NEWEST) break;
    const mentions = items.flatMap((item) => {
      const mention = lastMention(asked, item.name, phrase === "{name}" ? undefined : fitsPhrase(phrase, item.name, workflow));
      return mention ? [{ item, mention }] : [];
    });
    const [best] = mentions.sort((a, b) => byPlace(a.mention, b.mention, asked));
    if (best) {
      const { entry: _, at: __, ...place } = best.mention;
      return { item: best.item, why: { by: "mention", signal: phrase, ...place } };
    }
  }
  const [best, next] = items.map(standingOf).sort(byStanding) as [ItemProgress, ItemProgress?];
  return { item: best.item, why: { by: next ? difference(best, next) : "only" } };
}

const byStanding = (a: ItemProgress, b: ItemProgress) =>
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
  let last: { readonly subject: Subject; readonly spans: readonly Span[] } | undefined;
  return (subject, at) => {
    const { text } = subject.segment;
    const end = at + name.length;
    if (!endsThere(text, end, /[/\\]/.test(text[at - 1] ?? ""))) return false;
    phrase ??= compilePhrase(source.replaceAll("{name}", () => toLiteral(name)).replaceAll("{stage}", () => known));
    if (last?.subject !== subject) last = { subject, spans: spansOf(phrase, subject) };
    return last.spans.some((span) => span.start <= at && span.end >= end);
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(phrase: Phrase, { words }: Subject): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; spans.length < SEGMENT_MATCHES; ) {
    const found = matchPhrase(phrase, words, from);
    if (!found) break;
    spans.push({ start: words.start[found.from] ?? 0, end: words.end[found.to - 1] ?? 0 });
    from = found.from + 1;
  }
  return spans;
}
