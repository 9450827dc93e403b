// Labels: headings, lead-ins or clauses that call everything they cover rejected, void, doubtful or not settled yet.

import type { SummaryBlock } from "../read/blocks.js";
import { type Indexed, marksAround, type PreparedText } from "../read/index-summary.js";
import type { FoundMark, Labelling, LabelStanding, Lexicon } from "../read/lexicon.js";
import type { Marked, Sentence, Term } from "../read/terms.js";
import type { Overlap, Profile } from "./overlap.js";

export interface Label {
  readonly standing: LabelStanding;
  readonly key: string;
  /** It says nothing else, so it applies to everything it covers. */
  readonly pure: boolean;
  /** It says that something does not hold. */
  readonly held?: true;
  /** It is a bare negation, which may be the fact's own denial. */
  readonly plain?: true;
}

/** A heading or lead with more content words than this has its own topic. */
export const LABEL_WORDS = 3;
/** A negation this close before a label, in words, reverses it: "not rejected". */
const NEAR_WORDS = 3;
const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial"]);
const ENDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["withdrawal", "exchange", "completion"]);
/** The strongest standing first: it wins. */
const ORDER: readonly LabelStanding[] = ["void", "refusal", "doubtful", "unsettled"];

/** The label of a place: a clause in its own sentence, else a line above it. */
export function labelAt(fact: Profile, summary: Indexed, match: Overlap, exact: boolean, lexicon: Lexicon): Label | undefined {
  const marks = marksAround(summary, match.from, match.to);
  const own = fact.prepared.marks.filter(({ mark }) => DENYING.has(mark)).length;
  const there = marks.filter(({ mark }) => DENYING.has(mark));
  const isBeside = ({ from, to }: Marked) => there.filter((one) => one.from < from || one.from >= to).length >= own;
  const isTold = toldBy(fact.prepared, lexicon);
  const counts = (label: Label) => !(label.plain && own > 0) && (!isDenying(label.standing) || !isTold(label));
  const inside = labelsInside(fact, summary, match, exact, marks, lexicon).find(
    ({ label, where }) => !label.plain && counts(label) && (!isDenying(label.standing) || isBeside(where)),
  );
  if (inside) return inside.label;
  const block = summary.sentences[(summary.terms[match.from] as Term).sentence]?.block;
  // A cross before a rule that forbids something adds nothing.
  if (block?.crossed && own === 0) return CROSSED;
  const isFree = (label: Label | undefined) => label && counts(label) && (!isDenying(label.standing) || there.length >= own);
  const above = labelAbove(summary, block, lexicon);
  return isFree(above) ? above : undefined;
}

/** Does the fact say it itself? "Rejected: Redis" repeats "we rejected Redis"; "void" is new for "the legacy folder". */
function toldBy(fact: PreparedText, lexicon: Lexicon): (label: Label) => boolean {
  const standings = new Set<LabelStanding>();
  const keys = new Set<string>();
  for (let at = 0; at < fact.terms.length; at++) {
    const run = runAt(fact, at, lexicon);
    if (!run) continue;
    keys.add(lexicon.stem(run.key));
    const isName = run.standing === "void" && run.words.length === 1 && isAttribute(fact.terms, at);
    if (!isName) standings.add(run.standing);
  }
  return ({ standing, key }) => standings.has(standing) || keys.has(lexicon.stem(key));
}

/** "The deprecated endpoint": the word only says which one. */
function isAttribute(terms: readonly Term[], at: number): boolean {
  const next = terms[at + 1];
  return next?.clause === terms[at]?.clause && next?.weight === "content";
}

/** "This no longer holds." makes everything before it void, unless the fact says so itself. */
export function voidingLabel(fact: Profile, summary: Indexed, index: number, lexicon: Lexicon, from = 0): Label | undefined {
  const label = labelOfSentence(fact, summary, index, lexicon, from);
  return label && isDenying(label.standing) && !toldBy(fact.prepared, lexicon)(label) ? label : undefined;
}

function labelOfSentence(fact: Profile, summary: Indexed, index: number, lexicon: Lexicon, start = 0): Label | undefined {
  const { sentences, terms, marksOf } = summary;
  const sentence = sentences[index];
  if (!sentence || sentence.question) return undefined;
  const places = Array.from({ length: sentence.to - sentence.from }, (_, step) => sentence.from + step).filter(
    (at) => at >= start,
  );
  const label = labelOf(summary, places, marksOf[index] ?? [], lexicon);
  if (!label?.pure || label.plain) return undefined;
  // "Removed Redis. It is no longer used." gives the reason. "This replaces the former rule." ends something else.
  const isHeld = places.some((at) => lexicon.isHolding(terms[at]?.folded ?? ""));
  const { terms: own, marks } = fact.prepared;
  // "Test the removed columns" ends nothing.
  const ends = ({ mark, from: at }: Marked) =>
    ENDING.has(mark) && !(at > 1 && own[at - 1]?.weight === "filler" && isAttribute(own, at));
  const isOfOther = marks.some(ends) || marksOf[index]?.some(({ mark }) => mark === "exchange");
  return isHeld || !isOfOther ? label : undefined;
}

const CROSSED: Label = { standing: "unsettled", key: "x", pure: true, plain: true };
export const isDenying = (standing: LabelStanding | undefined) => standing === "refusal" || standing === "void";

/** Clauses of the sentence that only label the rest of it. */
function labelsInside(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  exact: boolean,
  marks: readonly Marked[],
  lexicon: Lexicon,
): readonly { readonly label: Label; readonly where: Marked }[] {
  const { terms, sentences } = summary;
  const isTold = (at: number) =>
    exact ? at >= match.from && at < match.to : fact.content.has(terms[at]?.key ?? "") || fact.light.has(terms[at]?.key ?? "");
  const found: { readonly label: Label; readonly where: Marked }[] = [];
  const { from } = sentences[(terms[match.from] as Term).sentence] as Sentence;
  const { to } = sentences[(terms[match.to - 1] as Term).sentence] as Sentence;
  for (let start = from, end = from; start < to; start = end) {
    const { clause } = terms[start] as Term;
    while (end < to && terms[end]?.clause === clause) end++;
    const places = Array.from({ length: end - start }, (_, step) => start + step);
    const free = places.filter((at) => !isTold(at));
    const label = free.length > 0 ? labelOf(summary, free, marks, lexicon) : undefined;
    // In a clause with words of the fact, "out" or "open" may refer to one of them.
    if (!label?.pure || (free.length < places.length && !(label.held || (exact && isDenying(label.standing))))) continue;
    // "…; open: the name": a label with a colon covers what follows, up to the next semicolon.
    const leads = /^\W*:/.test(summary.text.slice(terms[end - 1]?.end, terms[end]?.start ?? summary.text.length));
    const between = (one: number, other: number) => summary.text.slice(terms[one]?.end, terms[other]?.start);
    if (leads && (match.from < start || between(end - 1, match.from).includes(";"))) continue;
    found.push({ label, where: { mark: "denial", key: label.key, from: start, to: free.length < places.length ? start : end } });
  }
  return found;
}

/** The nearest label above. Lines without a colon, and headings above the nearest one, count only if they are pure labels. */
function labelAbove(summary: Indexed, block: SummaryBlock | undefined, lexicon: Lexicon): Label | undefined {
  const { terms, sentences, marksOf } = summary;
  let headings = 0;
  for (let above = block?.above; above; above = above.above) {
    if (above.heading) headings++;
    const index = (summary.blocks.get(above.start) ?? []).at(-1) ?? -1;
    const { from, to } = sentences[index] ?? { from: 0, to: 0 };
    const all = Array.from({ length: to - from }, (_, step) => from + step);
    const isLong = all.filter((at) => terms[at]?.weight === "content").length > LABEL_WORDS;
    const places = isLong ? all.filter((at) => terms[at]?.clause === terms[to - 1]?.clause) : all;
    const marks = marksOf[index] ?? [];
    const label = labelOf(summary, places, marks, lexicon);
    const isMeant = () => headings <= 1 && !above?.loose && !(isLong && (label?.plain || !isDenying(label?.standing)));
    if (label && (label.pure || isMeant())) return label;
    if (!above.loose && marks.some(({ mark }) => mark === "completion")) return undefined;
  }
  return undefined;
}

function labelOf(text: PreparedText, places: readonly number[], marks: readonly Marked[], lexicon: Lexicon): Label | undefined {
  const { terms } = text;
  const here = new Set(places);
  const taken = new Set<number>();
  const found: (Labelling & Pick<Label, "held" | "plain">)[] = [];
  const negations = marks.filter(({ mark, from }) => DENYING.has(mark) && here.has(from));
  const turned = new Set<Marked>();
  const take = (from: number, to: number) => {
    for (let at = from; at < to; at++) taken.add(at);
  };
  const isSame = (one: number, other: number) => terms[one]?.clause === terms[other]?.clause;
  for (const at of places) {
    const run = taken.has(at) ? undefined : runAt(text, at, lexicon);
    if (!run?.words.every((_, step) => here.has(at + step))) continue;
    const turning = negations.find(
      ({ mark, from, to }) => mark === "negation" && to <= at && at - to < NEAR_WORDS && isSame(from, at),
    );
    take(at, at + run.words.length);
    if (!turning) {
      found.push(run);
      continue;
    }
    // "No longer open" means neither.
    turned.add(turning);
    const before = found.indexOf(runAt(text, turning.from, lexicon) as Labelling);
    if (before >= 0) found.splice(before, 1);
  }
  for (const { key, from, to } of negations) {
    const states = marks.filter(({ mark, from: at }) => mark === "completion" && at >= to && isSame(from, at) && here.has(at));
    const held = places.find((at) => at >= to && isSame(from, at) && lexicon.isHolding(terms[at]?.folded ?? ""));
    const at = held ?? states[0]?.from;
    if (at === undefined) continue;
    take(at, at + 1);
    const word = `${key} ${terms[at]?.folded}`;
    found.push({
      words: [word],
      key: word,
      ...(held === undefined ? { standing: "unsettled" } : { standing: "void", held: true }),
    });
  }
  const undoes = ({ key }: Marked) => lexicon.runs.get(key)?.some(({ mark }) => mark === "undoing");
  const plain = negations.filter((one) => !turned.has(one) && !undoes(one));
  const [label = toPlain(plain)] = found.sort((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
  if (!label) return undefined;
  const isOther = (at: number) => {
    const { weight, vague, key } = terms[at] as Term;
    return weight === "content" && !vague && !taken.has(at) && !lexicon.isReference(key);
  };
  return {
    standing: label.standing,
    key: label.key,
    pure: !places.some(isOther),
    ...(label.held && { held: true }),
    ...(label.plain && { plain: true }),
  };
}

/** "Not:", "Never", "Forbidden": a bare negation, which denies what is below it. */
function toPlain(marks: readonly Marked[]): (Labelling & Pick<Label, "held" | "plain">) | undefined {
  const [first] = marks;
  return first && { words: [first.key], key: first.key, standing: "refusal", plain: true };
}

export function runAt({ terms }: PreparedText, at: number, { labels }: Lexicon): Labelling | undefined {
  const { sentence, folded } = terms[at] as Term;
  return labels
    .get(folded)
    ?.find(({ words }) =>
      words.every((word, step) => terms[at + step]?.folded === word && terms[at + step]?.sentence === sentence),
    );
}
