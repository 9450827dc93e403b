// What a model judged, remembered over rounds: verdicts on facts that rules found, and facts that it added. Rules are never
// changed by it: the same facts without these verdicts are what rules alone give.
import { PINS } from "../extract/settle/by-hand.js";
import { type Evidence, type Extraction, type Item, type Judgement, KINDS, type Kind } from "../model.js";
import { defined } from "../text/json.js";
import { sameText } from "../text/words.js";

/** The rule of a fact that the model quoted. */
export const MODEL = "model";

/** Kinds that a model judges. Goals, concepts and notes are not its business. */
export const JUDGED_KINDS: readonly Kind[] = KINDS.filter((kind) => !["goal", "concept", "note"].includes(kind));

/** A verdict on a fact. It counts as long as the fact is not said anywhere else. */
export interface JudgedFact extends Omit<Judgement, "was"> {
  /** As the rules have it. */
  readonly kind: Kind;
  readonly text: string;
  readonly sources: readonly string[];
  readonly verdict: "holds" | "stale" | "noise";
  /** The kind that it really is. */
  readonly as?: Kind;
}

export interface Judged {
  readonly facts: readonly JudgedFact[];
  /** Facts that only the model asserts: its quotes, and proposals that it confirmed. */
  readonly added: readonly Item[];
}

export const factKey = ({ kind, text }: Pick<Item, "kind" | "text">): string => `${kind}\n${sameText(text)}`;

export const placesOf = ({ evidence, also }: Pick<Item, "evidence" | "also">): readonly Evidence[] => [evidence, ...also];

/** The kind before a model corrected it. */
export const kindByRules = ({ kind, judged }: Item): Kind => judged?.was ?? kind;

/** A constraint of the user's binds the model: only later words of the user's end it. */
export const binds = (item: Item): boolean => item.by === "user" && [item.kind, kindByRules(item)].includes("constraint");

/** Pins and the project's files are not judged. */
export const isJudged = ({ kind, by, evidence }: Item): boolean =>
  JUDGED_KINDS.includes(kind) && by !== "file" && evidence.rule !== PINS;

/** Adds the verdicts of a round. They replace earlier ones on the same facts, and those of an earlier answer in that round. */
export function mergeJudged(before: Judged | undefined, now: Judged, round: number): Judged {
  const { facts, added } = before === undefined ? { facts: [], added: [] } : beforeRound(before, round);
  const known = new Set(now.facts.map(factKey));
  const keys = new Set(now.added.map(factKey));
  return {
    facts: [...facts.filter((fact) => !known.has(factKey(fact))), ...now.facts],
    added: [...added.filter((item) => !keys.has(factKey(item))), ...now.added],
  };
}

/** What was judged before a round. */
export const beforeRound = ({ facts, added }: Judged, round: number): Judged => ({
  facts: facts.filter((fact) => fact.round < round),
  added: added.filter(({ judged }) => (judged?.round ?? 0) < round),
});

interface Messages {
  readonly messages: readonly { readonly id: string }[];
  /** Messages that are not there were undone. */
  readonly whole?: boolean;
  readonly isDropped?: ((item: Item) => boolean) | undefined;
}

/** The facts of a session with what was judged before. What was undone is no quote and no witness. */
export function withJudged(extraction: Extraction, judged: Judged | undefined, session: Messages): Extraction {
  if (!judged) return extraction;
  const { continuation } = extraction;
  const { messages, whole, isDropped = () => false } = session;
  const order = new Map(messages.map(({ id }, index) => [id, index]));
  const rank = ({ evidence }: Item) => order.get(evidence.source) ?? -1;
  const isUndone = (id: string | undefined) => id !== undefined && whole === true && !order.has(id);
  const items = [...continuation.items];
  for (const item of judged.added) {
    const isThere = (other: Item) => isSaidAt(other, item.evidence) && other.kind === item.kind;
    if (isUndone(item.evidence.source) || isDropped(item) || items.some(isThere)) continue;
    const isBefore = (other: Item) => rank(other) - rank(item) || other.evidence.start - item.evidence.start;
    items.splice(items.findLastIndex((other) => isBefore(other) <= 0) + 1, 0, item);
  }
  const verdictOf = createVerdicts({ ...judged, facts: judged.facts.filter(({ witness }) => !isUndone(witness)) });
  const all = items.map((item) => applyVerdict(item, verdictOf(item))).filter((item) => !item.judged || !isDropped(item));
  return { ...extraction, continuation: { ...continuation, items: all } };
}

/** Finds the verdict on a fact. A fact that was said anew has none. */
export function createVerdicts({ facts }: Judged): (item: Item) => JudgedFact | undefined {
  const known = new Map(facts.map((fact) => [factKey(fact), fact]));
  return (item) => {
    const fact = known.get(factKey(item));
    return fact && placesOf(item).every(({ source }) => fact.sources.includes(source)) ? fact : undefined;
  };
}

function applyVerdict(item: Item, fact: JudgedFact | undefined): Item {
  if (!fact || item.status !== "active" || !isJudged(item)) return item;
  const { verdict, as = item.kind, round, witness, marked } = fact;
  const judged = defined({ round, witness, marked, ...(as !== item.kind && { was: item.kind }) });
  return { ...item, kind: as, status: verdict === "holds" ? "active" : verdict, judged };
}

/** Do the two share at least half of the shorter one? */
export function isSaidAt(item: Item, { source, tool, input, start, end }: Omit<Evidence, "quote" | "rule">): boolean {
  return placesOf(item).some((place) => {
    if (place.source !== source || place.tool !== tool || place.input !== input) return false;
    const shared = Math.min(end, place.end) - Math.max(start, place.start);
    return 2 * shared >= Math.min(end - start, place.end - place.start);
  });
}
