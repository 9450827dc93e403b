// Finds what a place says against a fact, and what makes its statement weaker.
import type { FoundMark } from "../read/lexicon.js";
import { clauseAround, isSameMark, listTerms, type Marked } from "../read/terms.js";
import { clausesAround } from "./around.js";
import type { Place } from "./overlap.js";
import { isSolved } from "./taken-back.js";
import { sameDenials, type Tone } from "./tone.js";

/** From this coverage on, a place that lacks the fact's denial is about the same thing. */
const TOLD = 0.75;
/** From this share of shared words with a different denial on, the whole is denied. */
const FLIPPED = 0.33;

/** The first of these that finds something says why the place contradicts the fact. */
const AGAINST: readonly ((place: Place, tone: Tone) => string | undefined)[] = [
  deniedInOne,
  withdrawnHere,
  deniedAround,
  belowLabel,
  otherState,
  opposite,
];

export function contradiction(place: Place, tone: Tone): string | undefined {
  // "Redis was dropped" can mean that it was rejected, or that it was in use before.
  if (place.attitude.denied && tone.added.has("withdrawal")) return undefined;
  for (const find of AGAINST) {
    const why = find(place, tone);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** "Not written yet" does not deny work that is still open. */
const isPending = ({ attitude, fact }: Place, { added }: Tone) =>
  attitude.state === "open" && added.has("pending") && !fact.prepared.signs.any;

/** One of the two denies words that the other does not deny. */
function deniedInOne(place: Place, tone: Tone): string | undefined {
  const { fact, match } = place;
  const { denied } = place.attitude;
  const { flipped } = tone;
  if (flipped.length === 0 || isPending(place, tone)) return undefined;
  // Where both deny as often, and the same thing, the denial may only reach further in other words.
  const isEven = sameDenials(place);
  if (tone.isShared && isEven && !denied) return undefined;
  // Of "do not touch the files", "files" alone says nothing.
  const words = [...fact.content.values()].filter(({ term }) => !term.vague).length;
  const isNamed = words - match.missing.length >= TOLD * words;
  // What the place only mentions may be denied there in other words, unless it denies something else.
  const isMentioned = (tone.isMoved || !(tone.isShared || isEven)) && match.coverage >= TOLD && isNamed;
  const weighty = flipped.filter(({ there }) => there || denied || isMentioned);
  const isEnough =
    match.coverage >= 1 || weighty.length / match.hits.length >= FLIPPED || weighty.some(({ term }) => term.sort !== "word");
  return weighty.length > 0 && isEnough ? `denied in one of the two: ${listTerms(weighty.map(({ term }) => term))}` : undefined;
}

function withdrawnHere({ summary, attitude }: Place, { added }: Tone): string | undefined {
  const mark = added.get("withdrawal");
  return mark && !attitude.denied && !isSolved(mark, summary) ? `taken back by "${mark.key}"` : undefined;
}

/** "Nobody says that …" */
function deniedAround(place: Place, tone: Tone): string | undefined {
  const { added } = tone;
  if (place.attitude.denied || place.fact.prepared.signs.any || isPending(place, tone)) return undefined;
  const mark = [added.get("negation"), added.get("denial")].find((one) => one && !isElsewhere(one, place));
  return mark && `denied by "${mark.key}"`;
}

/** Does a word deny something else, in a clause next to the fact's: "…, but not those of guests"? */
function isElsewhere(mark: Marked, { fact, summary: { terms }, clauses }: Place): boolean {
  if (clauses.has(terms[mark.from]?.clause)) return false;
  const { high } = clauseAround(terms, mark);
  return terms.slice(mark.to, high).some(({ weight, vague, key }) => weight === "content" && !vague && !fact.content.has(key));
}

function belowLabel({ attitude: { denied, refusing, state } }: Place, { stands }: Tone): string | undefined {
  if (!stands?.pure || denied) return undefined;
  if (stands.standing === "void" || (stands.standing === "refusal" && !refusing)) return `does not hold by "${stands.key}"`;
  return stands.standing === "unsettled" && state === "done" ? `still to do by "${stands.key}"` : undefined;
}

/** What is done is called open, or the reverse. */
function otherState({ summary, match, attitude: { state } }: Place, { added, label }: Tone): string | undefined {
  const task = summary.sentences[summary.terms[match.from]?.sentence ?? 0]?.block.task;
  if (state === "done") {
    if (task === "open") return "its box is open";
    const pending = added.get("pending") ?? label.get("pending");
    return pending && `still to do by "${pending.key}"`;
  }
  if (state !== "open") return undefined;
  if (task === "done") return "its box is ticked";
  const completed = label.get("completion");
  return completed && `stands under "${completed.key}"`;
}

/** A word of the fact, even a small one, whose opposite is said instead. */
function opposite(place: Place): string | undefined {
  const { fact, summary, match, marks, lexicon } = place;
  if (match.order < 1) return undefined;
  // A single word of "ruled out" does not count alone.
  const bound = boundWords(fact.prepared.marks);
  const paired = fact.prepared.terms.filter(({ key }, at) => lexicon.opposites(key).length > 0 && !bound.has(at));
  if (paired.length === 0) return undefined;
  const [low, high] = clausesAround(place);
  const held = boundWords(marks);
  const there = new Set(summary.terms.slice(low, high).flatMap(({ key }, index) => (held.has(low + index) ? [] : [key])));
  const own = new Set(fact.prepared.terms.map(({ key }) => key));
  const isOpposed = (key: string) => lexicon.opposites(key).some((other) => there.has(other) && !own.has(other));
  const found = paired.find((term) => !there.has(term.key) && isOpposed(term.key));
  return found && `the opposite of "${found.folded}" is said`;
}

/** Words inside a mark of several words, which has a meaning only as a whole. */
function boundWords(marks: readonly Marked[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { from, to, mark } of marks)
    if (to - from > 1 && mark !== "filler") for (let at = from; at < to; at++) found.add(at);
  return found;
}

export function weakening(place: Place, { added, label, stands }: Tone): string | undefined {
  const { fact, summary, match, marks: there, attitude } = place;
  const { question, denied } = attitude;
  if (!question) {
    const hedge = added.get("hedge") ?? (denied ? undefined : label.get("hedge"));
    const doubtful = hedge ?? (stands?.standing === "doubtful" && !denied ? stands : undefined);
    if (doubtful) return `weakened or limited by "${doubtful.key}"`;
    const isAsked = summary.sentences[summary.terms[match.to - 1]?.sentence ?? 0]?.question;
    if (isAsked && !fact.prepared.sentences.at(-1)?.question) return "only asked";
  }
  const isIn = (wanted: FoundMark, marks: readonly Marked[], at?: number) =>
    marks.some(({ mark, from }) => mark === wanted && (at === undefined || from === at));
  // "Restricted to X" limits like "only X".
  const isThere = (mark: Marked) =>
    there.some((one) => isSameMark(mark, one)) || (isIn("limit", fact.prepared.marks, mark.from) && isIn("limit", there));
  const lost = denied ? undefined : fact.prepared.marks.find((mark) => mark.mark === "hedge" && !isThere(mark));
  if (lost) return `without its "${lost.key}"`;
  const gate = added.get("gate");
  return gate && `limited by "${gate.key}"`;
}
