// Is a fact told freely? Every name and number must be there with nothing of its kind beside it; then a few plain words may be others.
import { type Indexed, marksAround } from "./audit-index.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile, Wanted } from "./audit-overlap.js";
import { compareParts } from "./audit-parts.js";
import { LIKE, lostQuantity, SAME_SENTENCE } from "./audit-proof.js";
import { sameStances } from "./audit-stance.js";
import { listTerms, type Marked, type Term } from "./audit-text.js";
import { sameCounts, sameTimes, sameUnits } from "./audit-times.js";

/** "A single" is told in many ways. */
const ONE = "1";
/** A name or a number: what a summary has to carry over as it is. */
export const isAnchor = ({ sort, named, key }: Term): boolean => sort !== "word" || named || (/^\d/.test(key) && key !== ONE);

/** Plain words that may be told otherwise, as a share of a fact's words, by how many anchors hold the rest. */
const LOOSE = [0, 0.15, 0.34, 0.4] as const;
/** Facts of fewer anchors are told in their order. */
const FEW_ANCHORS = 2;
const IN_ORDER = 0.9;
const MANY_WORDS = 7;
/** Words of its own that a telling may have beyond those that it replaces. */
const EXTRA = 2;
/** Facts of fewer content words leave no room. */
const LEAST_WORDS = 4;

export interface Telling {
  /** The sentences that were looked at, as places of words. */
  readonly low: number;
  readonly high: number;
  /** The fact's words that are not there. */
  readonly missing: readonly Wanted[];
  /** Places of words that are not the fact's. */
  readonly foreign: readonly number[];
  /** Places of each of the fact's words. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function tellingOf({ content, light, others }: Profile, summary: Indexed, { from, to }: Overlap): Telling {
  const { terms, otherKeys } = summary;
  const [first, last] = [terms[from]?.sentence, terms[to - 1]?.sentence];
  let [low, high] = [from, to];
  while (low > 0 && terms[low - 1]?.sentence === first) low--;
  while (high < terms.length && terms[high]?.sentence === last) high++;
  const places = new Map<string, number[]>();
  const foreign: number[] = [];
  for (let at = low; at < high; at++) {
    const term = terms[at] as Term;
    const key = content.has(term.key) ? term.key : otherKeys.get(at)?.find((one) => content.has(one));
    if (key !== undefined) places.set(key, [...(places.get(key) ?? []), at]);
    else if (term.weight === "content" && !term.vague && !light.has(term.key) && !others.has(term.key)) foreign.push(at);
  }
  const missing = [...content].flatMap(([key, wanted]) => (places.has(key) || wanted.term.vague ? [] : [wanted]));
  return { low, high, missing, foreign, places };
}

/** Why a free telling is none; undefined when it is one. */
export function unanchored(fact: Profile, summary: Indexed, match: Overlap, alike: number, lexicon: Lexicon): string | undefined {
  const { content, prepared } = fact;
  const telling = tellingOf(fact, summary, match);
  const { missing, foreign } = telling;
  const loose = [...missing.map(({ term }) => term), ...foreign.map((at) => summary.terms[at] as Term)];
  const anchors = [...content.values()].filter(({ term }) => isAnchor(term)).length;
  const lost = missing.filter(({ term }) => isAnchor(term));
  if (lost.length > 0) return `not there: ${listTerms(lost.map(({ term }) => term))}`;
  const rivals = foreign
    .map((at) => summary.terms[at] as Term)
    .filter((term) => isAnchor(term) && !isShort(term, prepared.terms));
  if (rivals.length > 0) return `with ${listTerms(rivals)}`;
  const room = Math.floor(content.size * (LOOSE[Math.min(anchors, LOOSE.length - 1)] as number));
  if (content.size < LEAST_WORDS || missing.length > room) return "too many of its words are others";
  if (foreign.length > room + EXTRA) return "with too many words of its own";
  if (alike >= (loose.length > 0 ? SAME_SENTENCE : LIKE)) return "nearly its own words";
  const isWhole = missing.length === 0 && !match.fewer && compareParts(fact, summary, match).parted;
  if (!isWhole && anchors < (content.size - 2 * missing.length < MANY_WORDS ? FEW_ANCHORS : 1) && match.order < IN_ORDER)
    return "too few names to tell";
  if (match.missingVague && foreign.length > 0 && alike >= LIKE) return "a word stands in the place of a vague one";
  if (!sameCounts(fact, summary, match) || !sameUnits(fact, summary, match)) return "of another number";
  if (missing.length > 0 && foreign.length > 0 && isExchanged(fact, summary, telling))
    return "a word stands in the place of another";
  if (missing.some(({ term }) => lexicon.isExclusive(term.key))) return "of another kind";
  const own = new Set(prepared.marks.map(({ mark }) => mark));
  const there = new Set(marksAround(summary, match.from, match.to).map(({ mark }) => mark));
  const odd = EQUAL.find((group) => group.some((mark) => own.has(mark)) !== group.some((mark) => there.has(mark)));
  if (odd) return `only one of the two tells of ${odd[0]}`;
  if (lostQuantity(fact, summary, match)) return "without its quantity";
  if (!sameTimes(fact, summary, match)) return "at another time";
  return sameStances(fact, summary, match, telling, lexicon);
}

/** Letters of a short form: fewer may stand for anything. */
const SHORT_LETTERS = 3;

/** "DLQ" beside "dead letter queue": the first letters of words that follow each other. */
function isShort({ folded, sort }: Term, terms: readonly Term[]): boolean {
  const letters = [...folded];
  if (sort !== "word" || letters.length < SHORT_LETTERS) return false;
  return terms.some((_, from) => letters.every((letter, step) => terms[from + step]?.folded.startsWith(letter)));
}

/** What both tell, or neither. */
const EQUAL: readonly (readonly Found[])[] = [["failure"], ["exception"]];

/** "The signing step" and "the upload step", "for guests" and "for members": another word before, or behind, the same. */
function isExchanged(fact: Profile, summary: Indexed, { missing, foreign }: Telling): boolean {
  const own = new Set(missing.flatMap(({ at }) => sitesOf(fact.prepared.terms, leadsOf(fact.prepared.marks), at)));
  const leads = leadsOf(foreign.flatMap((at) => summary.marksOf[summary.terms[at]?.sentence ?? 0] ?? []));
  return foreign.some((at) => sitesOf(summary.terms, leads, at).some((site) => own.has(site)));
}

const LEADING: ReadonlySet<Found> = new Set<Found>(["place", "relation", "limit", "condition", "exception"]);
export const leadsOf = (marks: readonly Marked[]) =>
  new Set(marks.flatMap(({ mark, from }) => (LEADING.has(mark) ? [from] : [])));

/** Where a word stands: before which plain word, and behind which small one. */
export function sitesOf(terms: readonly Term[], leads: ReadonlySet<number>, at: number): readonly string[] {
  const [self, next] = [terms[at] as Term, terms[at + 1]];
  const found = next?.clause === self.clause && next.weight === "content" && !isAnchor(next) ? [`before ${next.key}`] : [];
  let lead = at - 1;
  while (terms[lead]?.clause === self.clause && terms[lead]?.weight === "filler" && !leads.has(lead)) lead--;
  return leads.has(lead) && terms[lead]?.clause === self.clause ? [...found, `behind ${terms[lead]?.folded}`] : found;
}
