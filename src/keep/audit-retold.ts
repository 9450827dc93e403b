// Is a fact told again in other words? Only where nothing that could matter is left over on either side.

import { areSwapped } from "./audit-company.js";
import type { Indexed } from "./audit-index.js";
import { isMoved } from "./audit-order.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { compareParts } from "./audit-parts.js";
import { foreignWords, LIKE, lostQuantity, sameParts, samePlaces } from "./audit-proof.js";
import { sameCompany } from "./audit-roles.js";
import type { Succession } from "./audit-sequence.js";
import type { Signs } from "./audit-signs.js";
import type { Term } from "./audit-text.js";
import { sameCounts, sameTimes } from "./audit-times.js";

/** How the denials of two texts compare, word by word. */
export interface Polarity {
  /** What is surely denied in one is not surely said in the other. */
  readonly agrees: boolean;
  /** The one part is said and the other denied, in both: "A, not B". */
  readonly contrast: boolean;
}

const signOf = ({ sure, open, soft }: Signs, at: number, lenient: boolean): "denied" | "perhaps" | "said" =>
  sure[at] ? (lenient && soft[at] ? "perhaps" : "denied") : open[at] ? "perhaps" : "said";

/** Beside a contrast, the place where something is denied may stand with either part. */
export function polarityOf(fact: Profile, summary: Indexed, match: Overlap): Polarity {
  const strict = compareSigns(fact, summary, match, false);
  if (strict.agrees) return strict;
  const lenient = compareSigns(fact, summary, match, true);
  return lenient.agrees && lenient.contrast ? lenient : strict;
}

function compareSigns(fact: Profile, summary: Indexed, { hits }: Overlap, lenient: boolean): Polarity {
  const own = fact.prepared;
  const pairs = new Map<string, { readonly here: string; readonly there: string; readonly clause: number }>();
  for (const { at, key } of hits) {
    const wanted = fact.content.get(key);
    if (!wanted || wanted.mixed) continue;
    const here = signOf(own.signs, wanted.at, lenient);
    const there = signOf(summary.signs, at, lenient);
    const before = pairs.get(key);
    // A word that is said twice is meant where both agree.
    if (!before || before.here !== before.there) pairs.set(key, { here, there, clause: summary.terms[at]?.clause ?? 0 });
  }
  const all = [...pairs.values()];
  const both = (sign: string) => all.filter(({ here, there }) => here === sign && there === sign);
  const apart = all.filter(({ here, there }) => here !== there && here !== "perhaps" && there !== "perhaps");
  const isDenied = ({ here, there }: { readonly here: string; readonly there: string }) =>
    (here === "denied" && there !== "said") || (there === "denied" && here !== "said");
  const [said, denied] = [both("said"), all.filter(isDenied)];
  const parted = said.length > 0 && denied.length > 0;
  const denies = (sign: "here" | "there") => all.some((pair) => pair[sign] === "denied");
  if (apart.length === 0) {
    return { agrees: denies("here") || denies("there") ? denied.length > 0 : true, contrast: parted };
  }
  // "A is slow, not B" and "not B is slow, but A": what is said of both may stand with either.
  const clauses = new Set((apart[0]?.here === "said" ? denied : said).map(({ clause }) => clause));
  const oneWay = apart.every(({ here }) => here === apart[0]?.here);
  return { agrees: parted && oneWay && apart.every(({ clause }) => clauses.has(clause)), contrast: parted };
}

/** Content words for each word that may be missing, and for each that may be added. */
const WORDS_FOR_MISSING = 5;
const WORDS_FOR_ADDED = 5;
/** Share of all words in their order, from which a missing word was exchanged rather than told otherwise. */
const EXCHANGED = 0.55;
/** Under this share, the order of the words tells nothing by itself. */
const REORDERED = 0.5;
/** Names and numbers that make a small verb say nothing. */
const LEAST_NAMES = 2;
const UPPER = /\p{Lu}/u;
const RELATIONS: ReadonlySet<string> = new Set(["relation"]);
/** Facts of fewer content words leave no room. */
const LEAST_WORDS = 3;

export function isRetelling(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  alike: number,
  succession: Succession,
  { agrees, contrast }: Polarity,
): boolean {
  const { content } = fact;
  const { missing } = match;
  if (!agrees || (succession !== "none" && succession !== "same") || content.size < LEAST_WORDS) return false;
  if (match.missingLight && content.size < WORDS_FOR_MISSING && !contrast && succession === "none") {
    const names = [...content.values()].filter(({ term }) => isName(term)).length;
    if (!fact.prepared.signs.any && names < LEAST_NAMES) return false;
  }
  if (match.fewer && missing.length === 0) return false;
  if (missing.some((term) => isName(term) || isMarked(term, fact))) return false;
  if (missing.length > 0 && (alike >= EXCHANGED || missing.length > Math.floor(content.size / WORDS_FOR_MISSING))) return false;
  const added = foreignWords(fact, summary, match);
  if (
    added.some((term) => isName(term) || isRelating(term, summary)) ||
    missing.length + added.length > Math.floor(content.size / WORDS_FOR_ADDED)
  )
    return false;
  if (!sameTimes(fact, summary, match) || !sameCounts(fact, summary, match)) return false;
  if (lostQuantity(fact, summary, match) || (added.length > 0 && match.missingVague)) return false;
  if (match.order >= 1) return true;
  const { crossed, parted, single } = compareParts(fact, summary, match);
  if (crossed) return false;
  if (!sameParts(fact, summary, match, RELATIONS)) return false;
  if (!sameCompany(fact, summary, match)) return false;
  if (areSwapped(fact, summary, match)) return false;
  const like = alike >= LIKE;
  if (like && !samePlaces(fact, summary, match)) return false;
  if (parted && single) return true;
  const free = parted || (!like && (succession === "same" || contrast || (alike < REORDERED && !couldSwap(fact))));
  return isMoved(fact, summary, match, like, free);
}

/** "Until" and its like say more than a word. */
const isRelating = ({ start, sentence }: Term, { marksOf, terms }: Indexed) =>
  (marksOf[sentence] ?? []).some(({ mark, from }) => (mark === "relation" || mark === "gate") && terms[from]?.start === start);

/** A word that does something to the others cannot be left out: "fails". */
const isMarked = ({ start }: Term, { prepared }: Profile) =>
  prepared.marks.some(({ from }) => prepared.terms[from]?.start === start);

/** Two names of one kind, neither of which is bound by a relation, could have changed places. */
function couldSwap({ content, prepared }: Profile): boolean {
  const { terms, marks } = prepared;
  const bound = new Set(marks.flatMap(({ mark, to }) => (mark === "relation" ? [afterFillers(terms, to)] : [])));
  const kinds = new Map<string, number>();
  for (const { term, at } of content.values()) {
    const capital = UPPER.test(prepared.text.charAt(term.start));
    if (!(isName(term) || capital) || bound.has(at)) continue;
    const kind = term.sort === "number" ? term.sort : term.folded.includes("/") ? "path" : "name";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds.values()].some((count) => count > 1);
}

function afterFillers(terms: readonly Term[], from: number): number {
  let at = from;
  while (terms[at]?.weight === "filler") at++;
  return at;
}

const isName = ({ sort, named }: Term) => sort !== "word" || named;
