// Turns a match of a rule, of cues or of a picked option into an item.
import type { Evidence, Item, Kind } from "../../model.js";
import { MASK } from "../../rules/redact/redact.js";
import type { Category, Rule } from "../../rules/rule-set.js";
import { sameText, toWords } from "../../text/words.js";
import { firstPhrase, type Match } from "./condition.js";
import type { Part } from "./cues.js";
import { cutAtWord, slotValues, tidyClause, toConcept } from "./field.js";
import { evidenceOf, type Subject } from "./subject.js";

/** What gives an item: a rule, cues that add up, or an option of a choice. */
export type Giver = Pick<Rule, "id" | "order" | "own" | "emit" | "set" | "score" | "category" | "length" | "nothing">;

/** The item, or the reason why there is none. */
export function toItem(subject: Subject, giver: Giver, match: Match, categories: readonly Category[]): Item | string {
  const evidence: Evidence = evidenceOf(subject, giver.id);
  const kind = giver.emit as Kind;
  const { text: slot, ...fields } = slotValues(match, subject.segment.text);
  const hasSlot = match.slots.some(({ name }) => name === "text");
  const said = slot ?? (hasSlot ? "" : tidyClause(subject.segment.text.replace(/\s+/g, " ")));
  const text = kind === "concept" ? (said.includes(MASK) ? undefined : toConcept(said)) : said;
  if (!text || giver.nothing.has(sameText(text))) return "says nothing";
  if ([...text].length < giver.length.min) return `shorter than ${giver.length.min}`;
  const { status, ...set } = giver.set;
  const own = categories.filter(({ of }) => of.has(kind));
  const category = categoryOf(text, own) ?? giver.category ?? own.find(({ otherwise }) => otherwise)?.id;
  const values = Object.entries({ ...fields, ...set }).map(([name, value]) => [name, cutAtWord(value, giver.length.max)]);
  return {
    kind,
    text: cutAtWord(text, giver.length.max),
    fields: Object.fromEntries(values),
    ...(category !== undefined && { category }),
    score: giver.score,
    by: subject.source.by,
    status: status === "superseded" || isStale(kind, subject) ? "superseded" : "active",
    evidence,
    also: [],
  };
}

/** What is ticked, or was open in an older entry of a log: the newest entry says what is open now. */
const isStale = (kind: Kind, { segment: { entry = 0, task } }: Subject) =>
  (entry > 0 || task === "done") && OPEN_KINDS.includes(kind);
export const OPEN_KINDS: readonly Kind[] = ["remaining", "blocker", "question"];

function categoryOf(text: string, categories: readonly Category[]): string | undefined {
  if (!categories.some(({ match }) => match.length > 0)) return undefined;
  const words = toWords(text);
  return categories.find(({ match }) => firstPhrase(match, words) !== undefined)?.id;
}

// The outcome of each candidate, for `explain`.

/** The outcome of a candidate. */
export type Outcome =
  | "fired"
  | "guarded"
  | "outside"
  | "refused"
  | "outdone"
  | "merged"
  | "superseded"
  | "over budget"
  | "too little";

/** One candidate and its outcome. */
export interface Trace {
  readonly rule: string;
  readonly outcome: Outcome;
  /** The guard, selector key, rule or place that caused it. */
  readonly why?: string;
  readonly evidence: Evidence;
  /** Of cues: what adds up, and the threshold. */
  readonly sum?: { readonly parts: readonly Part[]; readonly total: number; readonly least: number };
}

/** Receives every candidate with its outcome. */
export interface Tracer {
  (trace: Trace): void;
  /** The rule that the user asks about: for cues, every sum is then reported. */
  readonly asks?: string;
}
