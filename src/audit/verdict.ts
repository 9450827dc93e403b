// Compares one fact with one place of the summary → a verdict. Only an unchanged quote is "kept"; any doubt gives "unsure".

import { contradiction, weakening } from "./compare/against.js";
import { exemption, foreignWords, likeness, limitBeside } from "./compare/around.js";
import { isDeniedAbove, labelDoubt } from "./compare/labels.js";
import type { Overlap, Place } from "./compare/overlap.js";
import { withdrawalBehind } from "./compare/taken-back.js";
import { sameDenials, type Tone, toneOf } from "./compare/tone.js";
import { listTerms, type Term } from "./read/terms.js";

/** The verdict on one fact. Only a proven fact is `kept`. */
export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface PlaceVerdict {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly match: Overlap;
  /** The place is about the whole fact, not just a few shared words. */
  readonly whole: boolean;
  /** The place has all words of the fact, one after the other. */
  readonly exact?: true;
}

type Answer = Pick<PlaceVerdict, "verdict" | "why">;
/** Says what is wrong at a place, or nothing. */
type Check = (place: Place, tone: Tone) => Answer | undefined;

/** Below this coverage times density, a place says nothing about the fact: any text on the topic has such words. */
const TRACE = 0.6;
/** From this coverage on, a place is about the fact, so that a denial there counts. */
const ABOUT = 0.5;
/** From this share of words in the same order on, a place is the fact's own sentence, even if words were replaced. */
const LIKE = 0.6;
/** From this likeness on, a difference changes the fact. In a sentence of other words it may be part of the rewording. */
const SAME_SENTENCE = 0.75;
/** A fact with fewer content words is not covered as a whole by any sentence that has them. */
const FEW_WORDS = 3;

/** The first check with an answer decides. */
const CHECKS: readonly Check[] = [
  contradicted,
  weakened,
  limitedBeside,
  otherwiseDenied,
  underLabel,
  reworded,
  wordsAdded,
  exempted,
  takenBack,
  quotedAgain,
];

export function verdictAt(place: Place): PlaceVerdict {
  const { fact, match, exact } = place;
  const whole = exact || (match.coverage >= 1 && fact.content.size >= FEW_WORDS);
  const alike = exact ? 1 : likeness(place);
  if (alike < LIKE && match.coverage * match.density < TRACE) return { ...answer("missing", "no place says it"), match, whole };
  const tone = toneOf(place);
  let found = answer("kept", "said in the same words");
  for (const check of CHECKS) {
    const problem = check(place, tone);
    if (!problem) continue;
    found = problem;
    break;
  }
  // Only the fact's own sentence can change or deny it: another one may use its words for something else.
  const isOther =
    found.verdict === "altered"
      ? alike < SAME_SENTENCE || (exact && isSetApart(place))
      : found.verdict === "contradicted" && (exact ? isCommand(place) : !whole && alike < LIKE);
  return { ...(isOther ? answer("unsure", found.why) : found), match, whole };
}

const answer = (verdict: AuditVerdict, why: string): Answer => ({ verdict, why });
const doubt = (why: string | undefined) => (why === undefined ? undefined : answer("unsure", why));

function contradicted(place: Place, tone: Tone): Answer | undefined {
  const why = place.exact || place.match.coverage >= ABOUT ? contradiction(place, tone) : undefined;
  return why === undefined ? undefined : answer("contradicted", why);
}

function weakened(place: Place, tone: Tone): Answer | undefined {
  const why = weakening(place, tone);
  return why === undefined ? undefined : answer("altered", why);
}

function limitedBeside(place: Place): Answer | undefined {
  const limit = limitBeside(place);
  return doubt(limit && `limited by "${limit}"`);
}

function otherwiseDenied(place: Place): Answer | undefined {
  return place.attitude.denied || sameDenials(place) ? undefined : answer("unsure", "another number of denials");
}

function underLabel(place: Place, tone: Tone): Answer | undefined {
  return doubt(labelDoubt(place, tone.stands) ?? (isDeniedAbove(place) ? "denied by the line above" : undefined));
}

/** Other words may say the same or not. */
function reworded(place: Place): Answer | undefined {
  const { exact, match } = place;
  if (exact) return undefined;
  if (match.missing.length === 0) return answer("unsure", "its words, in another way");
  return answer(foreignWords(place).length > 0 ? "altered" : "unsure", `not there: ${listTerms(match.missing)}`);
}

/** Other words in the clause of a quote may limit it, unless the quote has marks around it. */
function wordsAdded(place: Place): Answer | undefined {
  const foreign = isEnclosed(place) ? [] : foreignWords(place);
  return foreign.length > 0 ? answer("unsure", `with ${listTerms(foreign)}`) : undefined;
}

/** The text of the block before and behind the match. */
function textAround({ summary: { text, terms, sentences }, match: { from, to } }: Place) {
  const [first, last] = [terms[from] as Term, terms[to - 1] as Term];
  const [before, after] = [sentences[first.sentence]?.block, sentences[last.sentence]?.block];
  return [text.slice(before?.start, first.start), text.slice(last.end, after?.end)] as const;
}

/** In quotation marks, in code or in bold: the words around it are not part of it. */
function isEnclosed(place: Place): boolean {
  const [before, after] = textAround(place);
  return /["“”„«»‘’'`*]$/.test(before) && /^[.,;:!?]?["“”„«»‘’'`*]/.test(after);
}

/** Quoted, or in lines of its own among others of its paragraph, whose words may be those of another statement. */
function isSetApart(place: Place): boolean {
  const [before, after] = textAround(place);
  const isQuoted = /["“”„«»`]$/.test(before) && /^[.,;:!]?["“”„«»`]/.test(after);
  const isAlone = /(?:^|\n)[^\p{L}\p{N}\n]*$/u.test(before) && /^[^\p{L}\p{N}\n?？]*(?:\n|$)/u.test(after);
  return isQuoted || (isAlone && (before + after).includes("\n"));
}

/** A command under "Open" may be how the work is tried. */
function isCommand(place: Place): boolean {
  const [before, after] = textAround(place);
  return place.attitude.state !== undefined && before.endsWith("`") && after.startsWith("`");
}

function exempted(place: Place): Answer | undefined {
  const key = place.attitude.denied ? undefined : exemption(place);
  return doubt(key && `something is exempt by "${key}"`);
}

/** "X", later: "Y" */
function quotedAgain(place: Place): Answer | undefined {
  const { summary, match } = place;
  const gap = /^["”»][^"“„«\n]*(?=["“„«])/.exec(textAround(place)[1])?.[0].length;
  if (gap === undefined) return undefined;
  const startOf = (at: number) => summary.terms[at]?.start ?? 0;
  const end = (summary.terms[match.to - 1] as Term).end + gap;
  const word = summary.marks.find(({ mark, from }) => mark === "reference" && from >= match.to && startOf(from) < end);
  return doubt(word && `quoted again, "${word.key}"`);
}

function takenBack(place: Place): Answer | undefined {
  const back = place.attitude.denied ? undefined : withdrawalBehind(place);
  return back && answer(back.isSure ? "contradicted" : "unsure", `taken back by "${back.key}"`);
}
