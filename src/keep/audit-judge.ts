// One fact and one place of the summary → a verdict. Only what is proven is "kept".

import { type Attitude, contradiction, doubtBy, type Same, weakening } from "./audit-against.js";
import { tellingOf } from "./audit-anchors.js";
import { areSwapped } from "./audit-company.js";
import { isDeniedAnew } from "./audit-denials.js";
import { freeness } from "./audit-free.js";
import type { Indexed } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
import { isMoved, likeness } from "./audit-order.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { compareParts } from "./audit-parts.js";
import {
  addedCondition,
  DENSITY,
  FEW_WORDS,
  foreignWords,
  isRetold,
  LIKE,
  lostQuantity,
  SAME_SENTENCE,
  sameParts,
  samePlaces,
  unproven,
} from "./audit-proof.js";
import { isRetelling, polarityOf } from "./audit-retold.js";
import { sameRoles } from "./audit-roles.js";
import { successionOf } from "./audit-sequence.js";
import { otherSide } from "./audit-sides.js";
import { sameStances } from "./audit-stance.js";
import { listTerms } from "./audit-text.js";
import { sameCounts, sameTimes } from "./audit-times.js";
import { isTold } from "./audit-told.js";
import { toneOf } from "./audit-tone.js";

export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface Judged {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly match: Overlap;
  /** The place speaks of the whole fact, not of a word or two that it shares. */
  readonly whole: boolean;
}

/** Coverage times density under which a place says nothing about a fact: words of it stand in any text on the matter. */
const TRACE = 0.6;
/** Coverage from which a place speaks about the fact, so that what is denied there counts. */
const ABOUT = 0.5;
/** Coverage, density and order from which a place is the fact's own sentence with something exchanged. */
const OWN_SENTENCE = 0.6;
const OWN_ORDER = 0.9;

export function judge(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  exact: boolean,
  attitude: Attitude,
  lexicon: Lexicon,
): Judged {
  const as = (verdict: AuditVerdict, why: string): Judged => ({
    verdict,
    why,
    match,
    whole: exact || (match.coverage >= 1 && fact.content.size >= FEW_WORDS),
  });
  const { coverage, density, order, missing } = match;
  const alike = exact ? 1 : likeness(fact, summary, match);
  const like = alike >= LIKE;
  if (!exact && !attitude.denied && freeness(fact, summary, match, alike, attitude, lexicon) === undefined)
    return as("kept", "told freely");
  if (!like && isTopic(fact, match)) return as("missing", "no place says it");
  const succession = exact ? "none" : successionOf(fact, summary, match);
  if (succession === "opposite") return as("contradicted", "in the other order");
  if (succession === "denied" && coverage >= ABOUT) return as("contradicted", "denied but for a case");
  const tone = toneOf(fact, summary, match, attitude.denied, exact, succession === "same", lexicon);
  const polarity = polarityOf(fact, summary, match);
  const retold =
    !exact &&
    !attitude.denied &&
    isRetelling(fact, summary, match, alike, succession, polarity) &&
    (attitude.state === "open" || !isDeniedAnew(fact, summary, tellingOf(fact, summary, match), lexicon));
  // "Not written yet" denies no work that is to be done.
  const isPending = attitude.state === "open" && tone.added.has("pending") && !fact.prepared.signs.any;
  const same: Same = {
    order: succession === "same",
    signs: isPending || (!exact && (retold || (polarity.contrast && polarity.agrees))),
  };
  // Both deny, and no name is denied in the one and said in the other: only how far the denial goes may differ.
  const isScopeOnly = () =>
    !exact &&
    !like &&
    !attitude.denied &&
    contradiction(fact, tone, summary, match, attitude, lexicon, { ...same, signs: true }) === undefined &&
    sameStances(fact, summary, match, tellingOf(fact, summary, match), lexicon) === undefined;
  const against = coverage >= ABOUT || exact ? contradiction(fact, tone, summary, match, attitude, lexicon, same) : undefined;
  if (against !== undefined && !isScopeOnly()) return as("contradicted", against);
  const weaker = weakening(fact, summary, tone, match, attitude);
  if (weaker !== undefined) return as("altered", weaker);
  const exchanged = missing.filter(({ sort }) => sort !== "word");
  if (exchanged.length > 0) return as("altered", `not there: ${listTerms(exchanged)}`);
  if (missing.some(({ named }) => named) && foreignWords(fact, summary, match).some(({ named }) => named))
    return as("altered", `another name than ${listTerms(missing.filter(({ named }) => named))}`);
  if (
    missing.some(({ key }) => lexicon.isExclusive(key)) &&
    foreignWords(fact, summary, match).some(({ key }) => lexicon.isExclusive(key))
  )
    return as("altered", `not there: ${listTerms(missing)}`);
  if (against !== undefined) return as("unsure", against);
  if (like && !(sameTimes(fact, summary, match) && sameCounts(fact, summary, match)))
    return as("altered", "at another time or of another number");
  const side = otherSide(fact, summary, match);
  if (side !== undefined) return as("altered", side);
  const condition = addedCondition(fact, summary, match);
  if (condition) return as("altered", `only "${condition.key}"`);
  const label = doubtBy(tone, attitude);
  if (label !== undefined) return as("unsure", label);
  const isTurned = !exact && !sameRoles(fact, summary, match);
  if (retold && !isTurned && isTold(fact, summary, match, tone, attitude)) return as("kept", "told again with nothing left over");
  if (tone.flipped.length > 0 && !isPending)
    return as("unsure", `denied in one of the two: ${listTerms(tone.flipped.map(({ term }) => term))}`);
  if (missing.length > 0) {
    const near = alike >= SAME_SENTENCE || (order >= OWN_ORDER && coverage >= OWN_SENTENCE && density >= OWN_SENTENCE);
    if (near || !isRetold(fact, match)) return as(near ? "altered" : "unsure", `not there: ${listTerms(missing)}`);
  }
  if (succession === "lost") return as(like ? "altered" : "unsure", "what comes first is not told");
  if (succession === "added") return as("unsure", "before or after something else");
  const parting = exact || order >= 1 ? undefined : compareParts(fact, summary, match);
  const isCrossed = () => parting?.crossed || (parting && areSwapped(fact, summary, match));
  if (missing.length === 0 && isCrossed()) return as("altered", "its parts have changed places");
  const isSwapped = () =>
    (!parting?.parted && !isMoved(fact, summary, match, like)) ||
    !sameParts(fact, summary, match) ||
    !samePlaces(fact, summary, match);
  if (like && order < 1 && !exact && isSwapped()) return as("altered", "some of its words have changed places");
  const doubt = tone.added.has("failure")
    ? "something fails"
    : exact
      ? added(fact, summary, match)
      : unproven(fact, summary, match, alike, like);
  const quantity = exact ? undefined : lostQuantity(fact, summary, match);
  if (quantity && foreignWords(fact, summary, match).length > 0) return as("altered", `without its "${quantity.key}"`);
  if (isTurned) return as(like ? "altered" : "unsure", "who does what has changed places");
  if (doubt !== undefined) return as("unsure", doubt);
  if (quantity) return as("unsure", `without its "${quantity.key}"`);
  if (!exact && !isTold(fact, summary, match, tone, attitude)) return as("unsure", "done and to be done cannot be told apart");
  return as("kept", exact ? "said in the same words" : "all its words, in the same sense");
}

/** Words of their own in the clause of a quote may limit it; those of "we saw that" do not. */
function added(fact: Profile, summary: Indexed, match: Overlap): string | undefined {
  const start = summary.terms[match.from]?.start ?? 0;
  const told = (summary.marksOf[summary.terms[match.from]?.sentence ?? 0] ?? []).some(
    ({ mark, to }) => mark === "report" && to === match.from,
  );
  const foreign = foreignWords(fact, summary, match).filter((term) => !told || term.start > start);
  return foreign.length > 0 ? `with ${listTerms(foreign)}` : undefined;
}

/** Some of a fact's words, and no more: a text on the same matter. */
const isTopic = ({ content }: Profile, { coverage, density }: Overlap) =>
  coverage * density < TRACE || density < DENSITY || (coverage < 1 && content.size <= FEW_WORDS);
