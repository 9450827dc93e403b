// May a place count as a fact told in other words? All that could be exchanged, denied or limited must be as it was.
import { type Attitude, contradiction, doubtBy, type Same, weakening } from "./audit-against.js";
import { tellingOf, unanchored } from "./audit-anchors.js";
import { clauseAround } from "./audit-clauses.js";
import { sameDenials } from "./audit-denials.js";
import { type Indexed, marksAround } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { compareParts } from "./audit-parts.js";
import { addedCondition } from "./audit-proof.js";
import { sameRoles } from "./audit-roles.js";
import { successionOf } from "./audit-sequence.js";
import { otherSide } from "./audit-sides.js";
import { originsOf } from "./audit-stance.js";
import type { Marked, Term } from "./audit-text.js";
import { isTold } from "./audit-told.js";
import { toneOf } from "./audit-tone.js";

/** Why a place does not tell a fact in other words, with all that could be exchanged, denied or limited as it was. */
export function freeness(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  alike: number,
  attitude: Attitude,
  lexicon: Lexicon,
): string | undefined {
  if (match.hits.length === 0) return "no place says it";
  const loose = unanchored(fact, summary, match, alike, lexicon);
  if (loose !== undefined) return loose;
  const denied = sameDenials(fact, summary, tellingOf(fact, summary, match), lexicon);
  if (denied !== undefined) return denied;
  const succession = successionOf(fact, summary, match);
  if (succession !== "none" && succession !== "same") return `order ${succession}`;
  // "First" may tell an order by itself, and "before" is no way of telling a cause.
  const has = (marks: readonly Marked[], wanted: string) => marks.some(({ mark }) => mark === wanted);
  const isEarlier = has(marksAround(summary, match.from, match.to), "earlier");
  if (
    (has(fact.prepared.marks, "first") || isEarlier) &&
    succession === "none" &&
    summary.sequencesOf.has((summary.terms[match.from] as Term).sentence)
  )
    return "order told";
  const heard = toneOf(fact, summary, match, false, false, succession === "same", lexicon);
  const added = new Map(heard.added);
  // What was dropped was compared, whatever the word for it.
  const withdrawn = added.get("withdrawal");
  if (has(fact.prepared.marks, "withdrawal") || (withdrawn && isOrigin(fact, summary, withdrawn, lexicon)))
    added.delete("withdrawal");
  const tone = { ...heard, added };
  const same: Same = { order: succession === "same", signs: true };
  const against =
    contradiction(fact, tone, summary, match, attitude, lexicon, same) ??
    weakening(fact, summary, tone, match, attitude) ??
    doubtBy(tone, attitude) ??
    otherSide(fact, summary, match) ??
    addedCondition(fact, summary, match)?.key;
  if (against !== undefined) return against;
  if (!sameRoles(fact, summary, match) || compareParts(fact, summary, match).crossed) return "changed places";
  return isTold(fact, summary, match, tone, attitude) ? undefined : "done and to be done cannot be told apart";
}

/** "(previously 3)" tells what "from 3 to 5" tells. */
function isOrigin(fact: Profile, summary: Indexed, mark: Marked, lexicon: Lexicon): boolean {
  const { low, high } = clauseAround(summary.terms, mark);
  const words = summary.terms.slice(low, high).filter((term, at) => term.weight === "content" && low + at !== mark.from);
  const { terms } = fact.prepared;
  const origins = new Set(originsOf(fact.prepared, 0, terms.length, lexicon).map((at) => terms[at]?.key));
  return words.length > 0 && words.every(({ key }) => origins.has(key));
}
