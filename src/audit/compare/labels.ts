// Labels: headings, lead-ins or clauses that call everything they cover rejected, void, doubtful or not settled yet.

import type { Indexed } from "../read/index-summary.js";
import type { FoundMark, LabelStanding, Lexicon } from "../read/lexicon.js";
import { type Marked, type ReadText, type Sentence, SIGN, type Term } from "../read/terms.js";
import type { SummaryPlace } from "./overlap.js";

export interface Label {
  readonly standing: LabelStanding;
  readonly key: string;
  /** It says nothing else, so it applies to everything it covers. */
  readonly pure: boolean;
  /** It says that something does not hold. */
  readonly held?: true;
}

/** A heading or lead with more content words than this has its own topic. */
export const LABEL_WORDS = 3;
/** A negation this close before a label, in words, reverses it: "not rejected". */
const NEAR_WORDS = 3;
const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial"]);
const ENDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["withdrawal", "exchange", "completion"]);
/** The strongest standing first: it wins. */
const ORDER: readonly LabelStanding[] = ["void", "refusal", "doubtful", "unsettled"];
const CROSSED: Label = { standing: "unsettled", key: "x", pure: true };
export const isDenying = (standing: LabelStanding | undefined) => standing === "refusal" || standing === "void";

/** The label of a place: a clause in its own sentence, else a line above it. */
export function labelAt(place: SummaryPlace): Label | undefined {
  const { fact, summary, match, lexicon } = place;
  // "Legacy" says nothing new of "the legacy folder".
  const isNew = (label: Label | undefined) => label && !fact.prepared.terms.some(({ folded }) => folded === label.key);
  const inside = labelsInside(place).find(isNew);
  if (inside) return inside;
  const sentence = (summary.terms[match.from] as Term).sentence;
  // A cross before a rule that forbids something adds nothing.
  if (summary.sentences[sentence]?.block.crossed && !fact.prepared.marks.some(({ mark }) => DENYING.has(mark))) return CROSSED;
  const above = labelAbove(summary, sentence, lexicon);
  return isNew(above) ? above : undefined;
}

/** A label that makes everything before it void: "This no longer holds." */
export type Voiding = Label & { readonly isHeld: boolean; readonly exchanges: boolean };

/** @param start the term of the summary from which on the sentence counts */
export function voidingLabel(summary: Indexed, index: number, lexicon: Lexicon, start = 0): Voiding | undefined {
  const { sentences, terms, marksOf } = summary;
  const { from, to } = sentences[index] as Sentence;
  const places = placesOf(Math.max(from, start), to);
  const label = labelOf(summary, places, marksOf[index] ?? [], lexicon);
  if (!label?.pure || !isDenying(label.standing)) return undefined;
  const isHeld = places.some((at) => lexicon.isHolding(terms[at]?.folded ?? ""));
  return { ...label, isHeld, exchanges: marksOf[index]?.some(({ mark }) => mark === "exchange") === true };
}

/** Does a label make a fact void? Not one that says so itself. */
export function isVoidedBy(label: Voiding, { prepared }: SummaryPlace["fact"]): boolean {
  // "Removed Redis. It is no longer used." gives the reason. "This replaces the former rule." ends something else.
  const { terms, marks } = prepared;
  const isAttribute = (at: number) =>
    terms[at - 1]?.weight === "filler" && terms[at + 1]?.clause === terms[at]?.clause && terms[at + 1]?.weight === "content";
  // "Test the removed columns" ends nothing.
  const ends = marks.some(({ mark, from }) => ENDING.has(mark) && !(from > 1 && isAttribute(from)));
  return label.isHeld || !(ends || label.exchanges);
}

const placesOf = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);

/** Clauses of the sentence that only label the rest of it. */
function labelsInside({ fact, summary, match, exact, quotation, marks, lexicon }: SummaryPlace): readonly Label[] {
  const { terms, sentences } = summary;
  const isTold = (at: number) =>
    exact ? at >= match.from && at < match.to : fact.content.has(terms[at]?.key ?? "") || fact.light.has(terms[at]?.key ?? "");
  const found: Label[] = [];
  const { from } = sentences[(terms[match.from] as Term).sentence] as Sentence;
  const { to } = sentences[(terms[match.to - 1] as Term).sentence] as Sentence;
  for (let start = from, end = from; start < to; start = end) {
    while (end < to && terms[end]?.clause === terms[start]?.clause) end++;
    // The rest of a quotation goes on with something else.
    if (quotation && start >= quotation.from && end <= quotation.to) continue;
    const free = placesOf(start, end).filter((at) => !isTold(at));
    const label = free.length > 0 ? labelOf(summary, free, marks, lexicon) : undefined;
    // In a clause with words of the fact, "out" or "open" may refer to one of them.
    if (label?.pure && (free.length === end - start || label.held || (exact && isDenying(label.standing)))) found.push(label);
  }
  return found;
}

/** The nearest label above. Lines without a colon, and headings above the nearest one, count only if they are pure labels. */
function labelAbove(summary: Indexed, sentence: number, lexicon: Lexicon): Label | undefined {
  const { terms, sentences, marksOf } = summary;
  let headings = 0;
  for (let above = sentences[sentence]?.block.above; above; above = above.above) {
    if (above.heading) headings++;
    const index = (summary.blocks.get(above.start) ?? []).at(-1) ?? -1;
    const { from, to } = sentences[index] ?? { from: 0, to: 0 };
    const all = placesOf(from, to);
    const isLong = all.filter((at) => terms[at]?.weight === "content").length > LABEL_WORDS;
    const places = isLong ? all.filter((at) => terms[at]?.clause === terms[to - 1]?.clause) : all;
    const label = labelOf(summary, places, marksOf[index] ?? [], lexicon);
    const isMeant = headings <= 1 && !above.loose && (!isLong || isDenying(label?.standing));
    if (label && (label.pure || isMeant)) return label;
  }
  return undefined;
}

function labelOf(text: ReadText, places: readonly number[], marks: readonly Marked[], lexicon: Lexicon): Label | undefined {
  const { terms } = text;
  const here = new Set(places);
  const taken = new Set<number>();
  const found: Omit<Label, "pure">[] = [];
  const negations = marks.filter(({ mark, from }) => DENYING.has(mark) && here.has(from));
  const isSame = (one: number, other: number) => terms[one]?.clause === terms[other]?.clause;
  for (const at of places) {
    const run = taken.has(at) ? undefined : runAt(text, at, lexicon);
    if (!run?.words.every((_, step) => here.has(at + step))) continue;
    for (const step of run.words.keys()) taken.add(at + step);
    const isTurned = negations.some(
      ({ mark, from, to }) => mark === "negation" && to <= at && at - to < NEAR_WORDS && isSame(from, at),
    );
    if (!isTurned) found.push(run);
  }
  for (const { key, from, to } of negations) {
    const at = places.find((one) => one >= to && isSame(from, one) && lexicon.isHolding(terms[one]?.folded ?? ""));
    if (at === undefined) continue;
    taken.add(at);
    found.push({ standing: "void", key: `${key} ${terms[at]?.folded}`, held: true });
  }
  const [label] = found.sort((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
  if (!label) return undefined;
  const isOther = (at: number) => {
    const { weight, vague, key } = terms[at] as Term;
    return weight === "content" && !vague && !taken.has(at) && !lexicon.isReference(key);
  };
  return { standing: label.standing, key: label.key, pure: !places.some(isOther), ...(label.held && { held: true }) };
}

export function runAt({ terms }: ReadText, at: number, { labels }: Lexicon) {
  const { sentence, folded } = terms[at] as Term;
  return labels
    .get(folded)
    ?.find(({ words }) =>
      words.every((word, step) => terms[at + step]?.folded === word && terms[at + step]?.sentence === sentence),
    );
}

/** "The user does not want:" above what does not deny anything itself. */
export function isDeniedAbove({ fact, attitude, summary, match }: SummaryPlace): boolean {
  const { terms, sentences, blocks, signs } = summary;
  const above = sentences[(terms[match.from] as Term).sentence]?.block.above;
  const isDenied = attitude.denied || attitude.state === "open" || fact.prepared.signs.any;
  if (!above || above.loose || isDenied) return false;
  const lead = sentences[blocks.get(above.start)?.at(-1) ?? -1];
  return lead !== undefined && signs.of[lead.to - 1] === SIGN.denied;
}

export function labelDoubt(place: SummaryPlace): string | undefined {
  const { denied, refusing, state, settled, question } = place.attitude;
  const label = labelAt(place);
  if (!label) return undefined;
  const { standing, key, pure } = label;
  if (standing === "unsettled" && place.quotation && !pure) return undefined;
  if (standing === "unsettled") return settled || (state === "done" && !denied) ? `still open by "${key}"` : undefined;
  const isFitting = denied || (standing === "refusal" && refusing) || (standing === "doubtful" && question);
  return isFitting ? undefined : `stands with "${key}"`;
}
