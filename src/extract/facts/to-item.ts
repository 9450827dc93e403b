// Turns a match of a rule, of cues or of a picked option into an item.
import type { Evidence, Item, Kind } from "../../model.js";
import { firstPhrase, type Match } from "../../rules/phrase/match-phrase.js";
import { MASK } from "../../rules/redact/redact.js";
import type { Category, Rule, RuleSet } from "../../rules/rule-set.js";
import { remember, rememberFor } from "../../text/remember.js";
import { sameText, toWords } from "../../text/words.js";
import { evidenceOf, type Subject } from "../segments/subject.js";
import type { Pick as PickedOption } from "../signals/options.js";
import type { Signals } from "../signals/signals.js";
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

// The option that the user picked is a decision in the option's own words, and the other options are rejections.

/** A pick is certain; the other options are rejected only indirectly. */
const PICKED_SCORE = 0.75;
const PASSED_OVER_SCORE = 0.3;
const OPTION_CHARACTERS = 300;
/** A pick with at most this many words says nothing else: only the label, and that it is picked. */
const BARE_WORDS = 7;

/** The field that holds the option's label. */
const LABEL = "label";
export const CHOICES: readonly Kind[] = ["decision", "rejection"];

/** Does the user only name an option? Then the option says what is meant. */
const isBarePick = (subject: Subject, { takenBy }: Signals): boolean =>
  subject.words.folded.length <= BARE_WORDS && takenBy(subject).length > 0;

/** The items of a text. The option that it states replaces its other choices; a bare pick gives no choice. */
export function withPicks(
  subject: Subject,
  items: readonly Item[],
  rules: RuleSet,
  signals: Signals,
  trace?: Tracer,
): readonly Item[] {
  const pick = signals.pickOf(subject);
  const isBare = !pick && items.some(isChoice) && isBarePick(subject, signals);
  if (!pick && !isBare) return items;
  for (const { evidence } of items.filter(isChoice))
    trace?.({ rule: evidence.rule, outcome: "outdone", why: pick?.options.id ?? "picked", evidence });
  const others = items.filter((item) => !isChoice(item));
  const giver = pick && giverOfPick(pick, rules);
  const item = giver && toItem(subject, giver, matchOf(pick, subject), rules.categories);
  if (!pick || !item || typeof item === "string") return others;
  const words = evidenceOf(pick.by, giver.id);
  trace?.({ rule: giver.id, outcome: "fired", why: `${pick.state}, ${words.source}: ${words.quote}`, evidence: item.evidence });
  // The user vouches for it: the words that picked it are evidence too.
  return [...others, { ...item, by: pick.by.source.by, also: [words] }];
}

const isChoice = ({ kind }: Item) => CHOICES.includes(kind);

function giverOfPick({ state, options, label }: PickedOption, { rules, nothing }: RuleSet): Giver {
  const isPicked = state === "picked";
  return {
    id: options.id,
    order: rules.length,
    emit: isPicked ? "decision" : "rejection",
    set: { [LABEL]: label },
    score: isPicked ? PICKED_SCORE : PASSED_OVER_SCORE,
    length: { min: 0, max: OPTION_CHARACTERS },
    nothing,
  };
}

/** The option without its label. */
function matchOf({ from }: PickedOption, { segment }: Subject): Match {
  const end = segment.text.length;
  return { start: from, end, slots: [{ name: "text", type: "clause", start: from, end }] };
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
