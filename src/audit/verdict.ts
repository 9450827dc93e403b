// Compares one fact with one place of the summary → a verdict. Only an unchanged quote is "kept"; any doubt gives "unsure".

import { doubtAbout } from "./compare/doubts.js";
import type { Overlap, SummaryPlace } from "./compare/overlap.js";
import { alteration, contradiction } from "./compare/proof.js";
import { listTerms } from "./read/terms.js";

/** The verdict on one fact. Only a proven fact is `kept`. */
export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface PlaceVerdict {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly overlap: Overlap;
  /** It says that the fact does not hold, so that another quote proves nothing. */
  readonly isAgainst?: boolean;
  /** The place has all words of the fact, one after the other. */
  readonly exact?: true;
}

export function verdictAt(place: SummaryPlace): PlaceVerdict {
  const { overlap, exact } = place;
  const answer = (verdict: AuditVerdict, why: string) => ({ verdict, why, overlap });
  const against = contradiction(place);
  if (against) return { ...answer("contradicted", against), isAgainst: true };
  if (exact) {
    const doubt = doubtAbout(place);
    return doubt ? { ...answer("unsure", doubt.why), isAgainst: doubt.isAgainst } : answer("kept", "said in the same words");
  }
  const altered = alteration(place);
  if (altered) return answer("altered", altered);
  return answer(
    "unsure",
    overlap.missing.length === 0 ? "its words, in another way" : `not there: ${listTerms(overlap.missing)}`,
  );
}
