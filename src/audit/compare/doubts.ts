// What makes it doubtful that a quote of a fact still says it: words beside it, above it or behind it.

import { marksAround } from "../read/index-summary.js";
import type { FoundMark } from "../read/lexicon.js";
import { listTerms, type Marked, type Term } from "../read/terms.js";
import { exemption, foreignWords, limitBeside } from "./around.js";
import { denialsOf } from "./denials.js";
import { isDeniedAbove, labelDoubt } from "./labels.js";
import type { Profile, SummaryPlace } from "./overlap.js";
import { lacksSubject, withdrawalBehind } from "./taken-back.js";

/** A doubt, and whether it also counts against other quotes of the fact. */
export type Doubt = { readonly why: string; readonly isAgainst: boolean };

type Check = (place: SummaryPlace) => string | undefined;

/** These say that the fact does not hold. */
const AGAINST: readonly Check[] = [withdrawn, denied, labelDoubt, above, takenBack];
/** These weaken or limit it, or may speak of something else. */
const BESIDE: readonly Check[] = [weakened, readOtherwise, limitBeside, wordsAdded, exemption, quotedAgain];

export function doubtAbout(place: SummaryPlace): Doubt | undefined {
  const find = (checks: readonly Check[]) => checks.map((check) => check(place)).find((why) => why !== undefined);
  const against = find(AGAINST);
  const why = against ?? find(BESIDE);
  return why === undefined ? undefined : { why, isAgainst: against !== undefined };
}

/** The first mark of a sort that applies to the place and that the fact does not have. */
const added = (place: SummaryPlace, ...wanted: readonly FoundMark[]): Marked | undefined =>
  place.marks.find((mark) => wanted.includes(mark.mark) && speaksOfPlace(mark, place) && !isOwn(mark, place.fact, place));

/** Does the fact have the mark itself, or say the same in another way? */
function isOwn(mark: Marked, { prepared }: Profile, { summary: { terms } }: SummaryPlace): boolean {
  const isOwnWord = ({ key }: Term) => prepared.terms.some((one) => one.sort === "word" && key !== "" && one.key === key);
  return (
    terms.slice(mark.from, mark.to).every(isOwnWord) ||
    prepared.marks.some((one) => one.mark === mark.mark && one.key === mark.key)
  );
}

/** A mark counts unless its clause has its own subject. */
const speaksOfPlace = (mark: Marked, place: SummaryPlace) =>
  place.clauses.has(place.summary.terms[mark.from]?.clause) && mark.from >= place.overlap.from && mark.from < place.overlap.to
    ? true
    : lacksSubject(mark, place);

function withdrawn(place: SummaryPlace): string | undefined {
  const mark = place.attitude.denied ? undefined : added(place, "withdrawal");
  return mark && `taken back by "${mark.key}"`;
}

function denied(place: SummaryPlace): string | undefined {
  const { fact, there } = denialsOf(place);
  return place.attitude.denied || fact === there ? undefined : "another number of denials";
}

function above(place: SummaryPlace): string | undefined {
  return isDeniedAbove(place) ? "denied by the line above" : undefined;
}

function takenBack(place: SummaryPlace): string | undefined {
  const key = place.attitude.denied ? undefined : withdrawalBehind(place);
  return key && `taken back by "${key}"`;
}

function weakened(place: SummaryPlace): string | undefined {
  const { fact, summary, overlap, attitude } = place;
  const mark = attitude.question ? undefined : added(place, "hedge");
  if (mark) return `weakened or limited by "${mark.key}"`;
  const isAsked = summary.sentences[summary.terms[overlap.to - 1]?.sentence ?? 0]?.question;
  return isAsked && !attitude.question && !fact.prepared.sentences.at(-1)?.question ? "only asked" : undefined;
}

/** "Not only X" for "only X": a mark of the fact is none in the summary. */
function readOtherwise({ fact, summary, overlap }: SummaryPlace): string | undefined {
  const isThere = (own: Marked) =>
    marksAround(summary, overlap.from, overlap.to).some(
      ({ mark, from }) => mark === own.mark && from === overlap.from + own.from,
    );
  const lost = fact.prepared.marks.find((own) => !isThere(own));
  return lost && `without its "${lost.key}"`;
}

/** Other words in the clause of a quote may limit it, unless it is set apart by marks. */
function wordsAdded(place: SummaryPlace): string | undefined {
  const foreign = place.quotation || isEnclosed(place) ? [] : foreignWords(place);
  return foreign.length > 0 ? `with ${listTerms(foreign)}` : undefined;
}

/** The text of the block before and behind the overlap. */
function textAround({ summary: { text, terms, sentences }, overlap: { from, to } }: SummaryPlace) {
  const [first, last] = [terms[from] as Term, terms[to - 1] as Term];
  const [before, after] = [sentences[first.sentence]?.block, sentences[last.sentence]?.block];
  return [text.slice(before?.start, first.start), text.slice(last.end, after?.end)] as const;
}

/** In quotation marks, in code or in bold: the words around it are not part of it. */
function isEnclosed(place: SummaryPlace): boolean {
  const [before, after] = textAround(place);
  return /["“”„«»‘’'`*]$/.test(before) && /^[.,;:!?]?["“”„«»‘’'`*]/.test(after);
}

/** "X", later: "Y" */
function quotedAgain(place: SummaryPlace): string | undefined {
  const { summary, overlap } = place;
  const gap = /^["”»][^"“„«\n]*(?=["“„«])/.exec(textAround(place)[1])?.[0].length;
  if (gap === undefined) return undefined;
  const startOf = (at: number) => summary.terms[at]?.start ?? 0;
  const end = (summary.terms[overlap.to - 1] as Term).end + gap;
  const word = summary.marks.find(({ mark, from }) => mark === "reference" && from >= overlap.to && startOf(from) < end);
  return word && `quoted again, "${word.key}"`;
}
