// Which words of a fact only one of the two denies, and how often each of them denies something.
import type { FoundMark } from "../read/lexicon.js";
import { type Marked, SIGN, type Term } from "../read/terms.js";
import type { SummaryPlace } from "./overlap.js";
import { lacksSubject } from "./taken-back.js";

export const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial", "exchange"]);

/** In how many clauses the fact denies something, and the sentences of the place. "No function without a comment" denies nothing. */
export function denialsOf(place: SummaryPlace): { readonly fact: number; readonly there: number } {
  const { fact, summary, marks, clauses } = place;
  const count = (all: readonly Marked[], terms: readonly Term[]) => {
    const at = [...new Set(all.flatMap(({ mark, from }) => (DENYING.has(mark) ? [from] : [])))];
    const odd = new Set<number | undefined>();
    for (const clause of at.map((from) => terms[from]?.clause)) if (!odd.delete(clause)) odd.add(clause);
    return odd.size;
  };
  const speaks = (mark: Marked) => clauses.has(summary.terms[mark.from]?.clause) || lacksSubject(mark, place);
  return { fact: count(fact.prepared.marks, fact.prepared.terms), there: count(marks.filter(speaks), summary.terms) };
}

/** Positions of a shared word in the summary and in the fact. */
type WordPair = { readonly at: number; readonly own: number };

/** The words that the fact denies and the summary affirms, or the reverse. */
export function flips({ fact, summary, overlap, attitude: { denied } }: SummaryPlace) {
  const { signs } = fact.prepared;
  const signOf = (own: number) => (denied ? SIGN.denied : signs.of[own]);
  const pairs = overlap.hits.flatMap(({ at, key }) => {
    const own = fact.content.get(key);
    return own ? [{ at, own: own.at }] : [];
  });
  const isSame = ({ at, own }: WordPair) => signOf(own) === summary.signs.of[at];
  // If a word occurs twice, the occurrence that agrees counts.
  const agreed = new Set(pairs.filter(isSame).map(({ own }) => own));
  const differing = pairs.filter(({ own }) => !agreed.has(own));
  const flipped = differing.map(({ at }) => summary.terms[at] as Term);
  // "Replace B with A" for "replace A with B".
  const isMoved = pairs.some(({ at, own }) => signOf(own) !== SIGN.denied && summary.signs.of[at] === SIGN.denied);
  return { flipped, isMoved };
}
