// Which of a workflow's items is the active one: what the notes name, else the one that has come furthest.
import type { Reason, WorkItem } from "../model.js";
import { compilePhrase } from "../rules/phrase.js";
import { matchPhrase } from "../rules/phrase-match.js";
import { toWords } from "../rules/words.js";
import { NEWEST, type Workflow } from "../rules/workflow-set.js";
import { endsThere, type Fits, lastMention, type Mention } from "./mention.js";
import type { Note } from "./reads.js";

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
  return { item: best.item, why: { by: next ? decidedBy(best, next) : "only" } };
}

function byPlace(a: Mention, b: Mention, notes: readonly Note[]): number {
  const file = ({ source }: Mention) => notes.findIndex((note) => note.source.id === source);
  return file(a) - file(b) || a.entry - b.entry || b.at - a.at;
}

const byStanding = (a: Standing, b: Standing) =>
  Number(a.finished) - Number(b.finished) ||
  b.stage - a.stage ||
  b.artifacts - a.artifacts ||
  b.modified - a.modified ||
  (a.item.name < b.item.name ? -1 : 1);

function decidedBy(best: Standing, next: Standing): Reason["by"] {
  if (best.finished !== next.finished || best.stage !== next.stage) return "stage";
  if (best.artifacts !== next.artifacts) return "artifacts";
  return best.modified !== next.modified ? "time" : "name";
}

/** The phrase with this name in it, and the name whole. */
function fitsPhrase(source: string, name: string, { stages }: Workflow): Fits {
  const literal = name.replace(/[\\[\](){}<>|^]/g, "\\$&");
  const known = `(${stages.map(({ id }) => id).join("|")})`;
  const phrase = compilePhrase(source.replaceAll("{name}", literal).replaceAll("{stage}", known));
  return (text, at) => {
    const end = at + name.length;
    if (!endsThere(text, end, /[/\\]/.test(text[at - 1] ?? ""))) return false;
    const words = toWords(text);
    for (let from = 0; ; ) {
      const found = matchPhrase(phrase, words, from);
      if (!found) return false;
      if ((words.start[found.from] ?? 0) <= at && (words.end[found.to - 1] ?? 0) >= end) return true;
      from = found.from + 1;
    }
  };
}
