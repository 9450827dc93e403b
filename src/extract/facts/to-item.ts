// Turns a match of a rule, of cues or of a picked option into an item.
import type { Evidence, Item, Kind } from "../../model.js";
import { firstPhrase, type Match } from "../../rules/phrase/first-phrase.js";
import { MASK } from "../../rules/redact/redact.js";
import type { Category, Rule } from "../../rules/rule-set.js";
import { remember, rememberFor } from "../../text/remember.js";
import { sameText, toWords } from "../../text/words.js";
import { evidenceOf, type Subject } from "../segments/subject.js";
import type { Part } from "./cues.js";
import { cutAtWord, slotValues, tidyClause, toConcept } from "./field.js";

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
  const { min } = giver.length;
  // A character takes at most two units.
  if (text.length < 2 * min && [...text].length < min) return `shorter than ${min}`;
  const { status, ...set } = giver.set;
  const own = categoriesOf(categories)(kind);
  const category = categoryOf(text, own, subject) ?? giver.category ?? own.find(({ otherwise }) => otherwise)?.id;
  const values: Record<string, string> = { ...fields, ...set };
  for (const name in values) values[name] = cutAtWord(values[name] as string, giver.length.max);
  return {
    kind,
    text: cutAtWord(text, giver.length.max),
    fields: values,
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

const categoriesOf = rememberFor((all: readonly Category[]) => remember((kind) => all.filter(({ of }) => of.has(kind as Kind))));

function categoryOf(text: string, categories: readonly Category[], { segment, words: said }: Subject): string | undefined {
  if (!categories.some(({ match }) => match.length > 0)) return undefined;
  const words = text === segment.text ? said : toWords(text);
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
