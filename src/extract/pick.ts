// Which of a workflow's items is the active one: what the notes name, else the one that has come furthest.
import { SEGMENT_MATCHES } from "../limits.js";
import type { Reason, WorkItem } from "../model.js";
import { compilePhrase, type Phrase } from "../rules/phrase.js";
import { matchPhrase } from "../rules/phrase-match.js";
import { toLiteral } from "../rules/phrase-syntax.js";
import { NEWEST, type Workflow } from "../rules/workflow-set.js";
import { byPlace, endsThere, type Fits, lastMention } from "./mention.js";
import type { Note } from "./reads.js";
import type { Subject } from "./subject.js";

/** How far an item has come: finished ones last, then by stage, artifacts, time and name. */
export interface Standing {
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
  notes: readonly Note[],
  standingOf: (item: WorkItem) => Standing,
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
  const [best, next] = items.map(standingOf).sort(byStanding) as [Standing, Standing?];
  return { item: best.item, why: { by: next ? difference(best, next) : "only" } };
}

const byStanding = (a: Standing, b: Standing) =>
  Number(a.finished) - Number(b.finished) ||
  b.stage - a.stage ||
  b.artifacts - a.artifacts ||
  b.modified - a.modified ||
  (a.item.folder < b.item.folder ? -1 : 1);

function difference(best: Standing, next: Standing): Reason["by"] {
  if (best.finished !== next.finished || best.stage !== next.stage) return "stage";
  if (best.artifacts !== next.artifacts) return "artifacts";
  return best.modified !== next.modified ? "time" : "name";
}

/** The phrase with this name in it, and the name whole. It is run once for each text in which the name occurs. */
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
