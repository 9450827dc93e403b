// Words that a fact denies and a summary does not, or the other way round.
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

export interface Flip {
  readonly term: Term;
  /** The summary denies it; else the fact does, and the summary only speaks of it. */
  readonly there: boolean;
}

/** Words around a match in which its light words are looked for. */
const REACH_WORDS = 12;

export function flips(fact: Profile, summary: Indexed, match: Overlap, denied: boolean, exact: boolean): readonly Flip[] {
  const { signs, terms } = fact.prepared;
  const found: Flip[] = [];
  // Words denied in one of the two, and in the other only perhaps: harmless unless it goes both ways.
  const perhaps = { here: [] as Flip[], there: [] as Flip[] };
  let both = 0;
  const pairs = exact ? terms.map((_, own) => ({ at: match.from + own, own })) : shared(fact, summary, match);
  for (const { at, own } of pairs) {
    const term = summary.terms[at] as Term;
    const there = summary.signs.denied[at] === 1;
    const here = denied || signs.denied[own] === 1;
    if (here && there) both++;
    if (here === there) continue;
    // Forbidden here, and there in a clause that allows.
    const allowed = here && (summary.marksOf[term.sentence] ?? []).some((mark) => isAllowing(mark, term.clause, summary));
    if (allowed) found.push({ term, there: true });
    else if (here ? !summary.signs.clauses.has(term.clause) : !signs.clauses.has((terms[own] as Term).clause))
      found.push({ term, there });
    else perhaps[here ? "here" : "there"].push({ term, there });
  }
  // "Eval never hurts" denies nothing of what "never use eval" denies.
  if (both === 0 && found.length === 0) found.push(...perhaps.here);
  else if (perhaps.here.length > 0 && perhaps.there.length > 0) found.push(...perhaps.here, ...perhaps.there);
  return found;
}

const isAllowing = (mark: Marked, clause: number, { terms }: Indexed) =>
  mark.mark === "hedge" && terms[mark.from]?.clause === clause;

/** The words that fact and summary share, light ones too as far as they stand in the same clauses. */
function shared(fact: Profile, { terms }: Indexed, { hits }: Overlap): readonly { readonly at: number; readonly own: number }[] {
  // A word that the fact both says and denies tells nothing.
  const found = hits.flatMap(({ at, key }) => {
    const own = fact.content.get(key);
    return own && !own.mixed ? [{ at, own: own.at }] : [];
  });
  if (fact.light.size === 0) return found;
  const clauses = new Set(hits.map(({ at }) => terms[at]?.clause));
  const sentences = new Set(hits.map(({ at }) => terms[at]?.sentence));
  const low = (hits[0]?.at ?? 0) - REACH_WORDS;
  const high = (hits.at(-1)?.at ?? 0) + REACH_WORDS;
  for (let at = Math.max(0, low); at <= high && at < terms.length; at++) {
    const { key, clause, sentence, weight } = terms[at] as Term;
    const own = weight === "light" && sentences.has(sentence) && clauses.has(clause) ? fact.light.get(key) : undefined;
    if (own !== undefined) found.push({ at, own });
  }
  return found;
}
