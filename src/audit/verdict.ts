// Compares one fact with one place of the summary → a verdict. Only proof gives "kept"; any doubt gives "unsure".

import { contradiction, doubtBy, isElsewhere, otherSide, weakening } from "./compare/against.js";
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
import { replacedValue } from "./compare/replaced.js";
import { exemption, takenBackBy } from "./compare/taken-back.js";
import { clauseBeside, sameDenials, type Tone, toneOf } from "./compare/tone.js";
import { clauseAround, listTerms, type Marked } from "./read/terms.js";

/** The verdict on one fact. Only a proven fact is `kept`. */
export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface PlaceVerdict {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly match: Overlap;
  /** The place is about the whole fact, not just a few shared words. */
  readonly whole: boolean;
  /** The place has all words of the fact, one after the other. */
  readonly exact?: true;
}

type Answer = Pick<PlaceVerdict, "verdict" | "why">;

/** Below this coverage times density, a place says nothing about the fact: any text on the topic has such words. */
const TRACE = 0.6;
/** From this coverage on, a place is about the fact, so that a denial there counts. */
const ABOUT = 0.5;
/** From this share of words in the same order on, a place is the fact's own sentence, even if words were replaced. */
const LIKE = 0.6;
/** From this likeness on, a difference changes the fact. In a sentence of other words it may be part of the rewording. */
const SAME_SENTENCE = 0.75;
/** A fact with at most this many content words is only mentioned where all of them are. */
const FEW_WORDS = 3;

export function verdictAt(place: Place): PlaceVerdict {
  const { fact, match, exact, attitude } = place;
  const whole = exact || (match.coverage >= 1 && fact.content.size >= FEW_WORDS);
  const found = onProof(answerAt(place), place, whole);
  if (found.verdict !== "kept" || attitude.denied) return { ...found, match, whole };
  const exempted = exemption(place);
  if (exempted !== undefined) return { ...answer("unsure", `something is exempt by "${exempted}"`), match, whole };
  const back = takenBackBy(place);
  if (back === undefined) return { ...found, match, whole };
  return { ...answer(back.isSure ? "contradicted" : "unsure", `taken back by "${back.key}"`), match, whole };
}

const DISPUTED: ReadonlySet<AuditVerdict> = new Set<AuditVerdict>(["altered", "contradicted"]);

/** Only the fact's own sentence can change or deny it: another one may use its words for something else. */
function onProof(found: Answer, place: Place, whole: boolean): Answer {
  if (found.verdict === "kept") return found;
  const alike = place.exact ? 1 : likeness(place);
  const isLong = place.exact || place.fact.prepared.terms.length >= FEW_WORDS;
  const isOwn = isLong && (found.verdict === "altered" ? alike >= SAME_SENTENCE : whole || alike >= LIKE);
  return isOwn || !DISPUTED.has(found.verdict) ? found : answer("unsure", found.why);
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
  const weaker = weakening(place, tone);
  const replaced = weaker === undefined && isTimed && (match.coverage < 1 || match.order < 1) ? replacedValue(place) : undefined;
  if (replaced !== undefined) return answer("contradicted", replaced);
  const change = weaker ?? limitation(place, tone);
  if (change !== undefined) return answer("altered", change);
  const beside = clauseBeside(place);
  if (beside !== undefined) return answer("unsure", `limited by "${beside}"`);
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
    return answer(foreignWords(place).length > 0 ? "altered" : "unsure", `not there: ${listTerms(match.missing)}`);
  }
  if (!sameBindings(place)) return answer("altered", "a small word stands before other words");
  if (!sameOrder(place)) return answer("unsure", "its words have changed places");
  const quantity = lostQuantity(place);
  if (quantity) return answer(foreignWords(place).length > 0 ? "altered" : "unsure", `without its "${quantity.key}"`);
  const doubt = unproven(place) ?? (isTimed ? undefined : "at another time");
  if (doubt !== undefined) return answer("unsure", doubt);
  if (!sameState(place, tone)) return answer("unsure", "done and to be done cannot be told apart");
  return answer("kept", "all its words, in the same sense");
}

const answer = (verdict: AuditVerdict, why: string): Answer => ({ verdict, why });

/** The place has another condition or bound. */
function limitation(place: Place, tone: Tone): string | undefined {
  const limit = tone.added.get("gate")?.key ?? butNot(place, tone)?.key;
  return otherSide(place) ?? (limit === undefined ? undefined : `limited by "${limit}"`);
}

/** "…, but not those of guests". */
function butNot(place: Place, { added }: Tone): Marked | undefined {
  const { terms } = place.summary;
  const denial = added.get("negation") ?? added.get("denial");
  if (!denial || !isElsewhere(denial, place)) return undefined;
  const { low } = clauseAround(terms, denial);
  return place.lexicon.isJoint(terms[low]?.folded ?? "", "") ? denial : undefined;
}

/** Other words in the clause of a quote may limit it; the words of "we saw that" do not. */
function addedToQuote(place: Place): string | undefined {
  const { summary, match } = place;
  if (isEnclosed(place)) return undefined;
  const start = summary.terms[match.from]?.start ?? 0;
  const isReported = place.marks.some(({ mark, to }) => mark === "report" && to === match.from);
  const foreign = foreignWords(place).filter((term) => !isReported || term.start > start);
  return foreign.length > 0 ? `with ${listTerms(foreign)}` : undefined;
}

const MARK = /["“”„«»‘’'`*]/;

/** In quotation marks, in code or in bold: the words around it are not part of it. */
function isEnclosed({ summary: { text, terms }, match: { from, to } }: Place): boolean {
  const [start = 0, end = 0] = [terms[from]?.start, terms[to - 1]?.end];
  return MARK.test(text[start - 1] ?? "") && MARK.test(text.slice(end, end + 2).replace(/^[.,;:!?]/, "")[0] ?? "");
}

/** The place has some of the fact's words but is only about the same topic. */
const isTopicOnly = ({ content }: Profile, { coverage, density }: Overlap) =>
  coverage * density < TRACE || density < DENSITY || (coverage < 1 && content.size <= FEW_WORDS);
