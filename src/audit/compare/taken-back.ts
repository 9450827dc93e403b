// Finds what withdraws a statement after its place: in its block, in items below it, or where it is named again.
import type { FoundMark } from "../read/lexicon.js";
import { hasContent, type Marked, type Sentence, SIGN, type Term } from "../read/terms.js";
import { isDenying, runAt, voidingLabel } from "./labels.js";
import type { Place } from "./overlap.js";

const ENDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["withdrawal", "completion"]);

/** The words that withdraw the statement. */
export function takenBackBy(place: Place): string | undefined {
  const { summary, match } = place;
  const { sentences, terms, marksOf } = summary;
  const last = (terms[match.to - 1] as Term).sentence;
  const block = sentences[last]?.block;
  for (const sentence of summary.takingBack) {
    if (sentence <= last || sentences[sentence]?.question) continue;
    const there = sentences[sentence]?.block;
    const isBelow = there?.above?.start === block?.start || there?.start === block?.start;
    // "All of the above was withdrawn."
    const above = (marksOf[sentence] ?? []).find(
      ({ mark, from }) => mark === "backward" && summary.signs.of[from] !== SIGN.denied,
    );
    const speaks = (mark: Marked) =>
      isBelow || above ? lacksSubject(mark, place) && !namesOther(mark, place) : namesFact(mark, place);
    const label = isBelow || above ? voidingLabel(place, sentence, above?.to) : undefined;
    const found = label ?? takingBackIn(place, sentence).find(speaks);
    if (found) return found.key;
  }
  return undefined;
}

/** Words of a sentence that say that something is withdrawn, rejected or void. */
function takingBackIn({ fact: { prepared }, summary, lexicon }: Place, sentence: number): readonly Marked[] {
  const { terms, marksOf, signs } = summary;
  const found = (marksOf[sentence] ?? []).filter(({ mark, from }) => mark === "withdrawal" && signs.of[from] !== SIGN.denied);
  // A fact that denies or ends something says so itself: "Removed Redis. It is no longer used."
  if (prepared.signs.any || prepared.marks.some(({ mark }) => ENDING.has(mark))) return found;
  const { from, to } = summary.sentences[sentence] as Sentence;
  const runs = Array.from({ length: to - from }, (_, step) => from + step).flatMap((at) => {
    const run = runAt(summary, at, lexicon);
    if (!run || !isDenying(run.standing)) return [];
    const end = at + run.words.length;
    const isSaid = run.words.length > 1 || (terms[at]?.weight === "content" && signs.of[at] !== SIGN.denied);
    const isLast = terms[end]?.clause !== terms[at]?.clause || terms[end]?.weight !== "content";
    return isSaid && isLast ? [{ mark: "withdrawal" as const, key: run.key, from: at, to: end }] : [];
  });
  return [...found, ...runs];
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
