// Finds what the words around a place do to it: deny, weaken, limit or withdraw it.

import type { Indexed } from "../read/index-summary.js";
import type { FoundMark } from "../read/lexicon.js";
import type { SummaryBlock } from "../read/split.js";
import { isSameMark, type Marked, SIGN, type Term } from "../read/terms.js";
import { LABEL_WORDS, labelAt } from "./labels.js";
import type { Hit, Place, Profile } from "./overlap.js";
import { lacksSubject } from "./taken-back.js";

export type Tone = ReturnType<typeof toneOf>;

const BEARING = new Set<FoundMark>(["hedge", "withdrawal", "pending", "negation", "denial", "gate"]);
const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial", "exchange"]);
const LABELS: readonly FoundMark[] = ["negation", "denial", "withdrawal"];

export function toneOf(place: Place) {
  const { fact, summary, match, exact, marks } = place;
  const { denied } = place.attitude;
  const { terms, sentences } = summary;
  /** Marks that apply to the place and that the fact does not have, one of each sort. */
  const added = new Map<FoundMark, Marked>();
  for (const mark of marks) {
    const isBearing = BEARING.has(mark.mark) && !added.has(mark.mark);
    if (isBearing && speaksOfPlace(mark, place) && !isOwn(mark, fact, summary)) added.set(mark.mark, mark);
  }
  /** Marks of the headings and lead-ins above the place. */
  const label = new Map<FoundMark, Marked>();
  for (const mark of labelMarks(summary, sentences[(terms[match.from] as Term).sentence]?.block)) {
    // "Not done" is open.
    const undone = mark.mark === "completion" && summary.signs.of[mark.from] === SIGN.denied;
    if (!label.has(mark.mark) && !undone) label.set(mark.mark, mark);
  }
  // Under "Rejected", what was rejected need not be denied again.
  const labelled = denied && LABELS.some((mark) => label.has(mark));
  /** The label that covers the place. */
  const stands = labelAt(place);
  // In a quote, line and clause breaks mean nothing.
  const isQuoted = exact && !denied && sameDenials(place);
  /** Words of the fact that only one of the two denies. */
  return { added, label, stands, ...(labelled || isQuoted ? NO_FLIPS : flips(place)) };
}

/** Does the fact have the mark itself, or say the same in another way? */
function isOwn(mark: Marked, fact: Profile, summary: Indexed): boolean {
  const { terms } = summary;
  const own = fact.prepared;
  const isOwnWord = ({ key }: Term) => own.terms.some((one) => one.sort === "word" && key !== "" && one.key === key);
  if (mark.mark !== "negation" && mark.mark !== "denial" && terms.slice(mark.from, mark.to).every(isOwnWord)) return true;
  return own.marks.some((one) => isSameMark(one, mark));
}

/** A mark counts unless its clause has its own subject. Denials inside the match are compared word by word instead. */
function speaksOfPlace(mark: Marked, place: Place): boolean {
  const { match, clauses, summary } = place;
  const isInside = mark.from >= match.from && mark.from < match.to;
  if (isInside && (mark.mark === "negation" || mark.mark === "denial")) return false;
  return (isInside && clauses.has(summary.terms[mark.from]?.clause)) || lacksSubject(mark, place);
}

/** Do the sentences of a place have as many denials as the fact? */
export function sameDenials(place: Place): boolean {
  const { fact, summary, marks, clauses } = place;
  const count = (all: readonly Marked[]) => new Set(all.flatMap(({ mark, from }) => (DENYING.has(mark) ? [from] : []))).size;
  const speaks = (mark: Marked) => clauses.has(summary.terms[mark.from]?.clause) || lacksSubject(mark, place);
  return count(marks.filter(speaks)) === count(fact.prepared.marks);
}

/** Marks of the headings and lead-ins above that are short enough to be labels. */
function labelMarks({ blocks, sentences, marksOf, terms }: Indexed, block: SummaryBlock | undefined): readonly Marked[] {
  const found: Marked[] = [];
  for (let above = block?.above, headed = false; above && !(above.heading && headed); above = above.above) {
    headed ||= above.heading;
    if (above.loose) continue;
    for (const sentence of blocks.get(above.start) ?? []) {
      const { from = 0, to = 0 } = sentences[sentence] ?? {};
      const words = terms.slice(from, to).filter(({ weight }) => weight === "content").length;
      if (words <= LABEL_WORDS) found.push(...(marksOf[sentence] ?? []));
    }
  }
  return found;
}

// Words that the fact denies and the summary affirms, or the reverse.

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

function flips({ fact, summary, match, exact, attitude: { denied } }: Place) {
  const { signs, terms } = fact.prepared;
  const signOf = (own: number) => (denied ? SIGN.denied : signs.of[own]);
  // The words that deny are not denied themselves: "never X that is not Y".
  const pairs = exact
    ? terms.flatMap(({ weight }, own) => (weight === "filler" ? [] : [{ at: match.from + own, own }]))
    : sharedWords(fact, match.hits);
  const isSame = ({ at, own }: WordPair) => signOf(own) === summary.signs.of[at];
  // If a word occurs twice, the occurrence that agrees counts.
  const agreed = new Set(pairs.filter(isSame).map(({ own }) => own));
  const differing = pairs.filter(({ own }) => !agreed.has(own));
  const isOpen = ({ at, own }: WordPair) => signOf(own) === SIGN.open || summary.signs.of[at] === SIGN.open;
  const clear = differing.filter((pair) => !isOpen(pair));
  // "Eval never hurts" does not deny what "never use eval" denies.
  const isShared = pairs.some((pair) => isSame(pair) && signOf(pair.own) === SIGN.denied);
  const lost = isShared || clear.length > 0 ? [] : differing.filter(({ own }) => signOf(own) === SIGN.denied);
  const flipped = [...clear, ...lost].map(
    ({ at }): Flip => ({
      term: summary.terms[at] as Term,
      there: summary.signs.of[at] === SIGN.denied || isPermitted(summary, at),
    }),
  );
  // "Replace B with A" for "replace A with B".
  const isMoved = pairs.some(({ at, own }) => signOf(own) !== SIGN.denied && summary.signs.of[at] === SIGN.denied);
  return { flipped, isShared, isMoved };
}

const NO_FLIPS = { flipped: [] as readonly Flip[], isShared: false, isMoved: false };

/** Is the word in a clause that permits? */
function isPermitted({ terms, marksOf }: Indexed, at: number): boolean {
  const { sentence, clause } = terms[at] as Term;
  return (marksOf[sentence] ?? []).some((mark) => mark.mark === "permission" && terms[mark.from]?.clause === clause);
}

/** The content words that fact and summary share, without those that the fact both affirms and denies. */
const sharedWords = ({ content }: Profile, hits: readonly Hit[]): readonly WordPair[] =>
  hits.flatMap(({ at, key }) => {
    const own = content.get(key);
    return own && !own.mixed ? [{ at, own: own.at }] : [];
  });
