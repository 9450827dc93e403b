// Compares one fact with one place of the summary → a verdict. Only proof gives "kept"; any doubt gives "unsure".

import { contradiction, doubtBy, otherSide, weakening } from "./compare/against.js";
import type { Overlap, Place, Profile } from "./compare/overlap.js";
import {
  DENSITY,
  foreignWords,
  likeness,
  lostQuantity,
  sameBindings,
  sameOrder,
  sameState,
  sameTimes,
  unproven,
} from "./compare/proof.js";
import { takenBackBy } from "./compare/taken-back.js";
import { clauseBeside, sameDenials, type Tone, toneOf } from "./compare/tone.js";
import { listTerms } from "./read/terms.js";

/** The verdict on one fact. Only a proven fact is `kept`. */
export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface PlaceVerdict {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly match: Overlap;
  /** The place is about the whole fact, not just a few shared words. */
  readonly whole: boolean;
}

type Answer = Pick<PlaceVerdict, "verdict" | "why">;

/** Below this coverage times density, a place says nothing about the fact: any text on the topic has such words. */
const TRACE = 0.6;
/** From this coverage on, a place is about the fact, so that a denial there counts. */
const ABOUT = 0.5;
/** From this share of words in the same order on, a place is the fact's own sentence, even if words were replaced. */
const LIKE = 0.6;
/** From this likeness on, a missing word was replaced. */
const SAME_SENTENCE = 0.75;
/** From this coverage, density and order on, a missing word was replaced rather than left out. */
const OWN_SENTENCE = 0.6;
const OWN_ORDER = 0.9;
/** A fact with at most this many content words is only mentioned where all of them are. */
const FEW_WORDS = 3;

export function verdictAt(place: Place): PlaceVerdict {
  const { fact, match, exact, attitude } = place;
  const whole = exact || (match.coverage >= 1 && fact.content.size >= FEW_WORDS);
  const found = answerAt(place);
  if (found.verdict !== "kept" || attitude.denied) return { ...found, match, whole };
  const back = takenBackBy(place);
  return { ...(back === undefined ? found : answer("contradicted", `taken back by "${back}"`)), match, whole };
}

function answerAt(place: Place): Answer {
  const { fact, match, exact, attitude } = place;
  const alike = exact ? 1 : likeness(place);
  const like = alike >= LIKE;
  if (!like && isTopicOnly(fact, match)) return answer("missing", "no place says it");
  const tone = toneOf(place);
  // "Not written yet" does not deny work that is still open.
  const isPending = attitude.state === "open" && tone.added.has("pending") && !fact.prepared.signs.any;
  const isTimed = exact || sameTimes(place);
  if (match.coverage >= ABOUT || exact) {
    const isComparable = isTimed && otherSide(place) === undefined;
    const against = contradiction(place, tone, isPending, isComparable);
    if (against !== undefined) return answer("contradicted", against);
  }
  const change = weakening(place, tone) ?? exchange(place) ?? (like && !isTimed ? "at another time" : limitation(place, tone));
  if (change !== undefined) return answer("altered", change);
  if (!isPending && !attitude.denied && !sameDenials(place)) return answer("unsure", "another number of denials");
  if (tone.flipped.length > 0 && !isPending)
    return answer("unsure", `denied in one of the two: ${listTerms(tone.flipped.map(({ term }) => term))}`);
  const label = doubtBy(place, tone);
  if (label !== undefined) return answer("unsure", label);
  if (tone.added.has("failure")) return answer("unsure", "something fails");
  if (exact) {
    const added = addedToQuote(place);
    return added === undefined ? answer("kept", "said in the same words") : answer("unsure", added);
  }
  if (match.missing.length > 0) {
    const { order, coverage, density, missing } = match;
    const near = alike >= SAME_SENTENCE || (order >= OWN_ORDER && coverage >= OWN_SENTENCE && density >= OWN_SENTENCE);
    return answer(near ? "altered" : "unsure", `not there: ${listTerms(missing)}`);
  }
  if (!sameBindings(place)) return answer("altered", "a small word stands before other words");
  if (!sameOrder(place)) return answer(like ? "altered" : "unsure", "its words have changed places");
  const quantity = lostQuantity(place);
  if (quantity) return answer(foreignWords(place).length > 0 ? "altered" : "unsure", `without its "${quantity.key}"`);
  const doubt = unproven(place) ?? (isTimed ? undefined : "at another time");
  if (doubt !== undefined) return answer("unsure", doubt);
  if (!sameState(place, tone)) return answer("unsure", "done and to be done cannot be told apart");
  return answer("kept", "all its words, in the same sense");
}

const answer = (verdict: AuditVerdict, why: string): Answer => ({ verdict, why });

/** A name, number or one word of an exclusive set that is missing, with another one in its place. */
function exchange(place: Place): string | undefined {
  const { lexicon } = place;
  const { missing } = place.match;
  if (missing.length === 0) return undefined;
  const exchanged = missing.filter(({ sort }) => sort !== "word");
  if (exchanged.length > 0) return `not there: ${listTerms(exchanged)}`;
  const foreign = foreignWords(place);
  const names = missing.filter(({ named }) => named);
  if (names.length > 0 && foreign.some(({ named }) => named)) return `another name than ${listTerms(names)}`;
  const isOther = missing.some(({ key }) => lexicon.isExclusive(key)) && foreign.some(({ key }) => lexicon.isExclusive(key));
  return isOther ? `not there: ${listTerms(missing)}` : undefined;
}

/** The place has another condition or bound. */
function limitation(place: Place, tone: Tone): string | undefined {
  const limit = tone.added.get("gate")?.key ?? clauseBeside(place);
  return otherSide(place) ?? (limit === undefined ? undefined : `limited by "${limit}"`);
}

/** Other words in the clause of a quote may limit it; the words of "we saw that" do not. */
function addedToQuote(place: Place): string | undefined {
  const { summary, match } = place;
  const start = summary.terms[match.from]?.start ?? 0;
  const isReported = place.marks.some(({ mark, to }) => mark === "report" && to === match.from);
  const foreign = foreignWords(place).filter((term) => !isReported || term.start > start);
  return foreign.length > 0 ? `with ${listTerms(foreign)}` : undefined;
}

/** The place has some of the fact's words but is only about the same topic. */
const isTopicOnly = ({ content }: Profile, { coverage, density }: Overlap) =>
  coverage * density < TRACE || density < DENSITY || (coverage < 1 && content.size <= FEW_WORDS);
