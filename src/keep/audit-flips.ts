// Words that a fact denies and a summary does not, or the other way round.
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { DENIED } from "./audit-signs.js";
import type { Marked, Term } from "./audit-text.js";

export interface Flip {
  readonly term: Term;
  /** The summary denies it; else the fact does, and the summary only speaks of it. */
  readonly there: boolean;
}

/** Places of a shared word in the summary and in the fact. */
interface Pair {
  readonly at: number;
  readonly own: number;
}

/** Words around a match in which its light words are looked for. */
const REACH_WORDS = 12;

export function flips(fact: Profile, summary: Indexed, match: Overlap, denied: boolean, exact: boolean): readonly Flip[] {
  const { signs, terms } = fact.prepared;
  const found: Flip[] = [];
  // Words denied in one of the two, and in the other only perhaps: harmless unless it goes both ways.
  const perhaps = { here: [] as Flip[], there: [] as Flip[] };
  let both = 0;
  const signOf = (own: number) => (denied ? DENIED.surely : (signs.denied[own] as number));
  const isDenied = ({ at, own }: Pair) => {
    const [here, there] = [signOf(own), summary.signs.denied[at] as number];
    if (here !== DENIED.loosely && there !== DENIED.loosely) return [here > 0, there > 0] as const;
    return here > 0 && there > 0 ? ([true, true] as const) : ([false, false] as const);
  };
  const unbroken = exact && isUnbroken(fact, summary, match);
  const pairs = exact ? terms.map((_, own) => ({ at: match.from + own, own })) : shared(fact, summary, match);
  // A word that is said twice is meant where both agree.
  const agreed = new Set<number>();
  for (const pair of pairs) {
    const [here, there] = isDenied(pair);
    if (here === there) agreed.add(pair.own);
    if (here && there) both++;
  }
  for (const pair of pairs) {
    const { at, own } = pair;
    if (agreed.has(own)) continue;
    const term = summary.terms[at] as Term;
    const [here, there] = isDenied(pair);
    if ((here && unbroken) || (there && isSamePart(pair, fact, summary))) continue;
    // Forbidden here, and there in a clause that allows.
    const allowed = here && (summary.marksOf[term.sentence] ?? []).some((mark) => isAllowing(mark, term.clause, summary));
    if (allowed) found.push({ term, there: true });
    else {
      const open = here ? isOpen(summary.signs.perhaps[at], signOf(own)) : isOpen(signs.perhaps[own], summary.signs.denied[at]);
      (open ? perhaps[here ? "here" : "there"] : found).push({ term, there });
    }
  }
  // "Eval never hurts" denies nothing of what "never use eval" denies.
  if (both === 0 && found.length === 0) found.push(...perhaps.here);
  else if (perhaps.here.length > 0 && perhaps.there.length > 0) found.push(...perhaps.here, ...perhaps.there);
  return found;
}

/** "Moved from A" and "switched the build from A": in both, A is left. */
function isSamePart({ at, own }: Pair, { prepared }: Profile, { terms, signs }: Indexed): boolean {
  const relation = terms[at - 1];
  return signs.exchanged[at] === 1 && relation?.weight === "filler" && relation.folded === prepared.terms[own - 1]?.folded;
}

/** A quote in one sentence with no denial around it: where its lines and clauses break tells nothing. */
function isUnbroken({ prepared }: Profile, { terms, marksOf }: Indexed, { from, to }: Overlap): boolean {
  const first = terms[from]?.sentence ?? 0;
  if (prepared.sentences.length !== (terms[to - 1]?.sentence ?? 0) - first + 1) return false;
  return !(marksOf[first] ?? []).some(
    ({ mark, from: at }) => (mark === "negation" || mark === "denial") && (at < from || at >= to),
  );
}

/** May a term be denied that only stands beside a denial, when the other text denies it so? */
const isOpen = (perhaps: number | undefined, other: number | undefined) =>
  perhaps === DENIED.surely || (perhaps === DENIED.byPlace && other === DENIED.byPlace);

const isAllowing = (mark: Marked, clause: number, { terms }: Indexed) =>
  mark.mark === "hedge" && terms[mark.from]?.clause === clause;

/** The words that fact and summary share, light ones too as far as they stand in the same clauses. */
function shared(fact: Profile, { terms }: Indexed, { hits }: Overlap): readonly Pair[] {
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
