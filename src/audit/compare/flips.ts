// Finds words that the fact denies and the summary affirms, or the reverse.
import type { Indexed } from "../read/index-summary.js";
import { SIGN } from "../read/signs.js";
import type { Term } from "../read/terms.js";
import type { Overlap, Profile } from "./overlap.js";

export interface Flip {
  readonly term: Term;
  /** The summary denies the word; otherwise the fact denies it and the summary only mentions it. */
  readonly there: boolean;
}

/** Positions of a shared word in the summary and in the fact. */
interface WordPair {
  readonly at: number;
  readonly own: number;
}

export function flips(fact: Profile, summary: Indexed, match: Overlap, denied: boolean, exact: boolean): readonly Flip[] {
  const { signs, terms } = fact.prepared;
  const signOf = (own: number) => (denied ? SIGN.denied : signs.of[own]);
  const pairs = exact ? terms.map((_, own) => ({ at: match.from + own, own })) : sharedWords(fact, match);
  const isSame = ({ at, own }: WordPair) => signOf(own) === summary.signs.of[at];
  // If a word occurs twice, the occurrence that agrees counts.
  const agreed = new Set(pairs.filter(isSame).map(({ own }) => own));
  const differing = pairs.filter(({ own }) => !agreed.has(own));
  const isOpen = ({ at, own }: WordPair) => signOf(own) === SIGN.open || summary.signs.of[at] === SIGN.open;
  const isAllowed = ({ at, own }: WordPair) => signOf(own) === SIGN.denied && isInHedge(summary, at);
  const clear = differing.filter((pair) => !isOpen(pair) || isAllowed(pair));
  // "Eval never hurts" does not deny what "never use eval" denies.
  const isShared = pairs.some((pair) => isSame(pair) && signOf(pair.own) === SIGN.denied);
  const lost = isShared || clear.length > 0 ? [] : differing.filter(({ own }) => signOf(own) === SIGN.denied);
  return [...clear, ...lost].map(({ at }) => ({
    term: summary.terms[at] as Term,
    there: summary.signs.of[at] === SIGN.denied || isInHedge(summary, at),
  }));
}

/** Is the word in a clause that permits or weakens? */
function isInHedge({ terms, marksOf }: Indexed, at: number): boolean {
  const { sentence, clause } = terms[at] as Term;
  return (marksOf[sentence] ?? []).some((mark) => mark.mark === "hedge" && terms[mark.from]?.clause === clause);
}

/** The content words that fact and summary share, without those that the fact both affirms and denies. */
const sharedWords = ({ content }: Profile, { hits }: Overlap): readonly WordPair[] =>
  hits.flatMap(({ at, key }) => {
    const own = content.get(key);
    return own && !own.mixed ? [{ at, own: own.at }] : [];
  });
