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
}

/** A heading or lead with more content words than this has its own topic. */
const LABEL_WORDS = 3;
const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial"]);
const CROSSED: Label = { standing: "unsettled", key: "x", pure: true };
export const isDenying = (standing: LabelStanding | undefined) => standing === "refusal" || standing === "void";

/** The labels of a place: clauses of its own sentence, and lines above it. */
function labelsOf(place: SummaryPlace): readonly Label[] {
  const { fact, summary, overlap, lexicon } = place;
  const { sentence } = summary.terms[overlap.from] as Term;
  // A cross before a rule that forbids something adds nothing.
  const isCrossed = summary.sentences[sentence]?.block.crossed && !fact.prepared.marks.some(({ mark }) => DENYING.has(mark));
  return [...labelsInside(place), ...(isCrossed ? [CROSSED] : []), ...labelsAbove(summary, sentence, lexicon)];
}

/** A label that makes everything before it void: "This no longer holds."
 * @param start the term of the summary from which on the sentence counts */
export function voidingLabel(summary: Indexed, index: number, lexicon: Lexicon, start = 0): Label | undefined {
  const { sentences, marksOf } = summary;
  const { from, to } = sentences[index] as Sentence;
  const label = labelOf(summary, placesOf(Math.max(from, start), to), marksOf[index] ?? [], lexicon);
  return label?.pure && isDenying(label.standing) ? label : undefined;
}

const placesOf = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);

/** Clauses of the sentence that only label the rest of it. */
function labelsInside({ summary, overlap, quotation, marks, lexicon }: SummaryPlace): readonly Label[] {
  const { terms, sentences } = summary;
  const found: Label[] = [];
  const { from } = sentences[(terms[overlap.from] as Term).sentence] as Sentence;
  const { to } = sentences[(terms[overlap.to - 1] as Term).sentence] as Sentence;
  for (let start = from, end = from; start < to; start = end) {
    while (end < to && terms[end]?.clause === terms[start]?.clause) end++;
    // The rest of a quotation goes on with something else.
    if (quotation && start >= quotation.from && end <= quotation.to) continue;
    const free = placesOf(start, end).filter((at) => at < overlap.from || at >= overlap.to);
    const label = labelOf(summary, free, marks, lexicon);
    if (label?.pure) found.push(label);
  }
  return found;
}

/** The labels above. Lines without a colon, and headings above the nearest one, count only if they are pure labels. */
function labelsAbove(summary: Indexed, sentence: number, lexicon: Lexicon): readonly Label[] {
  const { terms, sentences, marksOf } = summary;
  const found: Label[] = [];
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
    if (label && (label.pure || isMeant)) found.push(label);
  }
  return found;
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
    found.push(run);
  }
  for (const { key, from, to } of negations) {
    const at = places.find((one) => one >= to && isSame(from, one) && lexicon.isHolding(terms[one]?.folded ?? ""));
    if (at === undefined) continue;
    taken.add(at);
    found.push({ standing: "void", key: `${key} ${terms[at]?.folded}` });
  }
  const [label] = found;
  if (!label) return undefined;
  const isOther = (at: number) => {
    const { weight, vague, key } = terms[at] as Term;
    return weight === "content" && !vague && !taken.has(at) && !lexicon.isReference(key);
  };
  return { standing: label.standing, key: label.key, pure: !places.some(isOther) };
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
export function isDeniedAbove({ fact, attitude, summary, overlap }: SummaryPlace): boolean {
  const { terms, sentences, blocks, signs } = summary;
  const above = sentences[(terms[overlap.from] as Term).sentence]?.block.above;
  const isDenied = attitude.denied || attitude.state === "open" || fact.prepared.signs.any;
  if (!above || above.loose || isDenied) return false;
  const lead = sentences[blocks.get(above.start)?.at(-1) ?? -1];
  return lead !== undefined && signs.of[lead.to - 1] === SIGN.denied;
}

export function labelDoubt(place: SummaryPlace): string | undefined {
  const { denied, refusing, state, settled, question } = place.attitude;
  const { block } = place.summary.sentences[(place.summary.terms[place.overlap.from] as Term).sentence] ?? {};
  if (state && block?.task && block.task !== state) return "its box says something else";
  const isDoubt: Readonly<Record<LabelStanding, boolean>> = {
    void: !denied,
    refusal: !denied && !refusing,
    doubtful: !denied && !question,
    unsettled: settled || (state === "done" && !denied),
    pending: state === "done",
    completion: state === "open",
  };
  const label = labelsOf(place).find(({ standing }) => isDoubt[standing]);
  return label && `stands with "${label.key}"`;
}
