// Finds what withdraws a statement after its place: in its block, in items below it, or where it is named again.
import { rememberFor } from "../../text/remember.js";
import type { Indexed } from "../read/index-summary.js";
import type { FoundMark, Lexicon } from "../read/lexicon.js";
import { clauseAround, hasContent, type Marked, type Sentence, SIGN, type Term } from "../read/terms.js";
import { isDenying, isVoidedBy, runAt, type Voiding, voidingLabel } from "./labels.js";
import type { Place } from "./overlap.js";

const ENDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["withdrawal", "completion"]);

/** What is solved was true. */
export const isSolved = ({ from }: Marked, { terms, marksOf }: Indexed): boolean =>
  (marksOf[(terms[from] as Term).sentence] ?? []).some((one) => one.mark === "completion" && one.from === from);

/** The words that withdraw the statement. Sure: they stand beside it, and do not only say that it is solved. */
export function takenBackBy(place: Place): { readonly key: string; readonly isSure: boolean } | undefined {
  const { fact, summary, match, lexicon } = place;
  const { sentences, terms } = summary;
  const last = (terms[match.to - 1] as Term).sentence;
  const block = sentences[last]?.block;
  // A fact that denies or ends something says so itself: "Removed Redis. It is no longer used."
  const { signs, marks } = fact.prepared;
  const quoted = endOfQuotation(place);
  const isEnd = signs.any || marks.some(({ mark }) => ENDING.has(mark));
  for (const { sentence, isBackward, label, withdrawals, runs } of takingBackIn(lexicon)(summary)) {
    if (sentence <= last || (terms[sentences[sentence]?.from ?? 0]?.start ?? 0) < quoted) continue;
    const there = sentences[sentence]?.block;
    const isMeant = isBackward || there?.above?.start === block?.start || there?.start === block?.start;
    if (isMeant && label && isVoidedBy(label, fact, lexicon)) return { key: label.key, isSure: true };
    const speaks = (mark: Marked) => (isMeant ? lacksSubject(mark, place) && !namesOther(mark, place) : namesFact(mark, place));
    // "Removed X" does not take back "remove X".
    const isOwn = ({ from }: Marked) => fact.prepared.terms.some(({ key }) => key === terms[from]?.key);
    const found = withdrawals.find((mark) => !isOwn(mark) && speaks(mark)) ?? (isEnd ? undefined : runs.find(speaks));
    if (!found) continue;
    return { key: found.key, isSure: isMeant && !isSolved(found, summary) };
  }
  return undefined;
}

const QUOTATION = /["“”«»]/g;

/** Where the quotation ends in which the place stands: what is said in it takes nothing back. */
function endOfQuotation({ summary: { text, terms, sentences }, match, exact }: Place): number {
  const term = terms[match.from] as Term;
  const { start, end } = (sentences[term.sentence] as Sentence).block;
  const isOpen = exact && (text.slice(start, term.start).match(QUOTATION)?.length ?? 0) % 2 === 1;
  const rest = isOpen ? text.slice(term.start, end).search(QUOTATION) : -1;
  return rest < 0 ? 0 : term.start + rest;
}

const EXEMPTING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "permission"]);

/** Another clause of the sentence that exempts something: "…, though Sam may", "…; hotfixes are not meant by this". */
export function exemption({ fact, summary, match, marks }: Place): string | undefined {
  const { terms, signs } = summary;
  const inside = new Set<number | undefined>(terms.slice(match.from, match.to).map(({ clause }) => clause));
  const beside = marks.filter(({ from }) => !inside.has(terms[from]?.clause));
  const has = (wanted: FoundMark) => fact.prepared.marks.some(({ mark }) => mark === wanted);
  const isForAll = fact.prepared.signs.any || has("quantity") || has("limit");
  const found = beside.find((one) => {
    if (one.mark === "quantity") return has("limit");
    if (!EXEMPTING.has(one.mark)) return false;
    const { low, high } = clauseAround(terms, one);
    const isOther = (at: number) => {
      const own = fact.content.get((terms[at] as Term).key);
      return own !== undefined && !own.term.vague && signs.of[at] !== fact.prepared.signs.of[own.at];
    };
    // "Health checks do not": the verb is the fact's. It matters if the fact is about all of them.
    const isShort = isForAll && !hasContent(terms, one.to, high) && hasContent(terms, low, one.from);
    const refers = beside.some(({ mark, from }) => mark === "reference" && from >= one.to && from < high);
    return isShort || refers || terms.slice(one.to, high).some((_, step) => isOther(one.to + step));
  });
  return found?.key;
}

/** What a sentence withdraws, whatever the fact. */
interface TakingBack {
  readonly sentence: number;
  /** "All of the above was withdrawn." */
  readonly isBackward: boolean;
  readonly label: Voiding | undefined;
  /** Words that say that something is withdrawn, rejected or void. */
  readonly withdrawals: readonly Marked[];
  readonly runs: readonly Marked[];
}

/** The sentences of a summary that withdraw something. Most that could do not, and every fact asks. */
const takingBackIn = rememberFor((lexicon: Lexicon) =>
  rememberFor((summary: Indexed): readonly TakingBack[] =>
    summary.takingBack.flatMap((sentence) => {
      if (summary.sentences[sentence]?.question) return [];
      const isSaid = ({ from }: Marked) => summary.signs.of[from] !== SIGN.denied;
      const marks = (summary.marksOf[sentence] ?? []).filter(isSaid);
      const back = marks.find(({ mark }) => mark === "backward");
      const label = voidingLabel(summary, sentence, lexicon, back?.to);
      const withdrawals = marks.filter(({ mark }) => mark === "withdrawal");
      const runs = runsIn(summary, sentence, lexicon);
      const isNone = !label && withdrawals.length + runs.length === 0;
      return isNone ? [] : [{ sentence, isBackward: back !== undefined, label, withdrawals, runs }];
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
    const isSaid = run.words.length > 1 || (terms[at]?.weight === "content" && signs.of[at] !== SIGN.denied);
    const isLast = terms[end]?.clause !== terms[at]?.clause || terms[end]?.weight !== "content";
    return isSaid && isLast ? [{ mark: "withdrawal" as const, key: run.key, from: at, to: end }] : [];
  });
}

/** Does the clause have no other subject before the mark? */
export function lacksSubject(mark: Marked, { fact, summary, lexicon }: Place): boolean {
  const { terms, marksOf } = summary;
  const { clause, sentence } = terms[mark.from] as Term;
  const references = (marksOf[sentence] ?? []).filter((one) => one.mark === "reference");
  for (let at = mark.from - 1; terms[at]?.clause === clause; at--) {
    const { weight, key, folded } = terms[at] as Term;
    // "In the end it was dropped": the nearest subject counts.
    if (references.some(({ from, to }) => from <= at && at < to)) return true;
    if (weight === "content" && !fact.content.has(key) && !lexicon.isParticiple(folded)) return false;
  }
  return true;
}

/** "Removed `redis.ts`": something is named there that the fact does not name. */
function namesOther(mark: Marked, { fact, summary: { terms } }: Place): boolean {
  const { sentence } = terms[mark.from] as Term;
  const isOther = (term: Term | undefined) => term?.sentence === sentence && term.sort === "name" && !fact.content.has(term.key);
  for (let at = mark.from - 1; terms[at]?.sentence === sentence; at--) if (isOther(terms[at])) return true;
  return isOther(terms[mark.to]);
}

/** "The idea with BullMQ was dropped": at least as many words of the fact as others, and no other name. */
function namesFact(mark: Marked, { fact, summary, lexicon }: Place): boolean {
  const { terms, sentences } = summary;
  const { sentence } = terms[mark.from] as Term;
  const { from: start, to, block } = sentences[sentence] as Sentence;
  const before = sentences[sentence - 1];
  const from = before?.block.start === block.start && !hasContent(terms, start, mark.from) ? before.from : start;
  let [shared, others] = [0, 0];
  for (let at = from; at < to; at++) {
    const { key, weight, sort, vague } = terms[at] as Term;
    const isOwn = at >= mark.from && at < mark.to;
    if (weight !== "content" || vague || isOwn || lexicon.isReference(key)) continue;
    if (fact.content.has(key)) shared++;
    else if (sort !== "word") return false;
    else others++;
  }
  return shared > 0 && others <= shared;
}
