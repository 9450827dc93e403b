// Finds what withdraws a statement after its place: in its block, in items below it, or where it is named again.
import { rememberFor } from "../../text/remember.js";
import type { Indexed } from "../read/index-summary.js";
import type { Lexicon } from "../read/lexicon.js";
import { clauseAround, hasContent, type Marked, type Sentence, SIGN, type Term } from "../read/terms.js";
import { isDenying, type Label, runAt, voidingLabel } from "./labels.js";
import { overlapOf, type SummaryPlace } from "./overlap.js";

export function withdrawalBehind(place: SummaryPlace): string | undefined {
  const { fact, summary, lexicon } = place;
  const { sentences, terms } = summary;
  const { to: end } = place.quotation ?? place.overlap;
  const last = (terms[end - 1] as Term).sentence;
  const block = sentences[last]?.block;
  for (const { sentence, isBackward, label, withdrawals, replacement } of takingBackIn(lexicon)(summary)) {
    const there = sentences[sentence]?.block;
    const isSameBlock = there?.start === block?.start;
    const isBeside = isSameBlock || there?.above?.start === block?.above?.start;
    if (replacement && replacement.from >= end && isBeside) {
      const { from, to } = sentences[sentence] as Sentence;
      if (overlapOf(fact, summary, Math.max(from, end), to).hits.length > 1) return replacement.key;
    }
    if (sentence <= last) continue;
    const isMeant = isBackward || isSameBlock || there?.above?.start === block?.start;
    if (isMeant && label) return label.key;
    const speaks = (mark: Marked) => (isMeant ? lacksSubject(mark, place) && !namesOther(mark, place) : namesFact(mark, place));
    const found = withdrawals.find(speaks);
    if (found) return found.key;
  }
  return undefined;
}

/** What a sentence withdraws, whatever the fact. */
interface TakingBack {
  readonly sentence: number;
  /** "All of the above was withdrawn." */
  readonly isBackward: boolean;
  readonly label: Label | undefined;
  /** Words that say that something is withdrawn, rejected or void. */
  readonly withdrawals: readonly Marked[];
  /** "Start with the parser instead." */
  readonly replacement: Marked | undefined;
}

/** The sentences of a summary that withdraw something. Most that could do not, and every fact asks. */
const takingBackIn = rememberFor((lexicon: Lexicon) =>
  rememberFor((summary: Indexed): readonly TakingBack[] =>
    summary.takingBack.flatMap((sentence) => {
      const isUndenied = ({ from }: Marked) => summary.signs.of[from] !== SIGN.denied;
      const marks = (summary.marksOf[sentence] ?? []).filter(isUndenied);
      const back = marks.find(({ mark }) => mark === "backward");
      const label = voidingLabel(summary, sentence, lexicon, back?.to);
      const withdrawals = [...marks.filter(({ mark }) => mark === "withdrawal"), ...runsIn(summary, sentence, lexicon)];
      const replacement = marks.find(({ mark }) => mark === "replacement");
      return !label && !replacement && withdrawals.length === 0
        ? []
        : [{ sentence, isBackward: back !== undefined, label, withdrawals, replacement }];
    }),
  ),
);

function runsIn(summary: Indexed, sentence: number, lexicon: Lexicon): readonly Marked[] {
  const { terms, signs } = summary;
  const { from, to } = summary.sentences[sentence] as Sentence;
  return Array.from({ length: to - from }, (_, step) => from + step).flatMap((at) => {
    const run = runAt(summary, at, lexicon);
    if (!run || !isDenying(run.standing)) return [];
    const end = at + run.words.length;
    const isTelling = run.words.length > 1 || (terms[at]?.weight === "content" && signs.of[at] !== SIGN.denied);
    const isLast = terms[end]?.clause !== terms[at]?.clause || terms[end]?.weight !== "content";
    return isTelling && isLast ? [{ mark: "withdrawal" as const, key: run.key, from: at, to: end }] : [];
  });
}

/** Does the clause have no other subject before the mark? */
export function lacksSubject(mark: Marked, { fact, summary }: SummaryPlace): boolean {
  const { terms, marksOf } = summary;
  const { clause, sentence } = terms[mark.from] as Term;
  const references = (marksOf[sentence] ?? []).filter((one) => one.mark === "reference");
  for (let at = mark.from - 1; terms[at]?.clause === clause; at--) {
    const { weight, key } = terms[at] as Term;
    // "In the end it was dropped": the nearest subject counts.
    if (references.some(({ from, to }) => from <= at && at < to)) return true;
    if (weight === "content" && !fact.content.has(key)) return false;
  }
  return true;
}

/** "Removed `redis.ts`": a name that the fact does not have stands before the word, or next to it. */
function namesOther(mark: Marked, { fact, summary: { terms } }: SummaryPlace): boolean {
  const { sentence } = terms[mark.from] as Term;
  const isOther = (term: Term | undefined) => term?.sentence === sentence && term.sort === "name" && !fact.content.has(term.key);
  for (let at = mark.from - 1; terms[at]?.sentence === sentence; at--) if (isOther(terms[at])) return true;
  return isOther(terms[mark.to]);
}

/** "The idea with BullMQ was dropped": at least as many words of the fact as others, and no other name. */
function namesFact(mark: Marked, { fact, summary, lexicon }: SummaryPlace): boolean {
  const { terms, sentences } = summary;
  const { sentence } = terms[mark.from] as Term;
  const { to, block, ...whole } = sentences[sentence] as Sentence;
  const { low } = clauseAround(terms, mark);
  // "About the pool: the cap turned out to be wrong": a single word says too little by itself.
  const start = mark.to - mark.from > 1 && hasContent(terms, low, mark.from) ? low : whole.from;
  const before = sentences[sentence - 1];
  const from = before?.block.start === block.start && !hasContent(terms, start, mark.from) ? before.from : start;
  // What stands behind the word is its reason, unless nothing stands before it.
  const end = hasContent(terms, start, mark.from) ? mark.from : to;
  let [shared, others] = [0, 0];
  for (let at = from; at < end; at++) {
    const { key, weight, sort, vague } = terms[at] as Term;
    const isOwn = at >= mark.from && at < mark.to;
    if (weight !== "content" || vague || isOwn || lexicon.isReference(key)) continue;
    if (fact.content.has(key)) shared++;
    else if (sort !== "word") return false;
    else others++;
  }
  return shared > 0 && others <= shared;
}
