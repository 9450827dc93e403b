// What the words around a match do to it: deny it, weaken it, take it back.

import { isExcused } from "./audit-against.js";
import type { Block } from "./audit-blocks.js";
import { type Flip, flips } from "./audit-flips.js";
import type { Indexed } from "./audit-index.js";
import { LABEL_WORDS, type Label, labelAt } from "./audit-labels.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { isSameMark, type Marked, type Term } from "./audit-text.js";

export interface Tone {
  /** Marks of each sort that bear on the match and are not the fact's own. */
  readonly added: ReadonlyMap<Found, Marked>;
  /** The fact's words that are denied in one of the two and not in the other. */
  readonly flipped: readonly Flip[];
  /** Marks of the labels that the match stands under. */
  readonly label: ReadonlyMap<Found, Marked>;
  /** What a label says of all that it stands over. */
  readonly stands?: Label;
}

const BEARING: ReadonlySet<Found> = new Set(["hedge", "withdrawal", "completion", "pending", "failure", "negation", "denial"]);
const LABELS: readonly Found[] = ["negation", "denial", "withdrawal"];

export function toneOf(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  denied: boolean,
  exact: boolean,
  ordered: boolean,
  lexicon: Lexicon,
): Tone {
  const { terms, sentences, marksOf } = summary;
  const first = (terms[match.from] as Term).sentence;
  const last = (terms[match.to - 1] as Term).sentence;
  const added = new Map<Found, Marked>();
  const sentenceOf = ({ from }: Marked) => (terms[from] as Term).sentence;
  const keyAt = ({ terms: all }: { readonly terms: readonly Term[] }, { from }: Marked) => all[from]?.key;
  const add = (mark: Marked) => {
    if (!BEARING.has(mark.mark) || added.has(mark.mark)) return;
    // "Has not been translated yet" tells of no completion.
    if (mark.mark === "completion" && summary.signs.sure[mark.from]) return;
    if (
      (mark.mark === "hedge" || mark.mark === "withdrawal") &&
      isExcused(mark, marksOf[sentenceOf(mark)] ?? [], fact.prepared.marks)
    )
      return;
    // "Only after" says no more than "before".
    if (
      ordered &&
      mark.mark === "hedge" &&
      marksOf[sentenceOf(mark)]?.some((one) => one.mark === "limit" && one.from === mark.from)
    )
      return;
    // "The file was removed" tells of "removing the file"; "A is replaced by B" is judged by its words.
    const isOwnWord = ({ key, weight }: Term, at: number) =>
      (at > 0 && weight !== "content") || fact.prepared.terms.some((one) => one.sort === "word" && key !== "" && one.key === key);
    const isWord = terms.slice(mark.from, mark.to).every(isOwnWord);
    const isContent = terms[mark.from]?.weight === "content";
    if (
      isWord &&
      (mark.mark === "hedge" ||
        (isContent && (mark.mark === "withdrawal" || mark.mark === "completion" || mark.mark === "failure")))
    )
      return;
    const exchanges = () =>
      marksOf[sentenceOf(mark)]?.some((one) => one.mark === "exchange" && one.from >= mark.from && one.to <= mark.to);
    // "… (later replaced by another one)" exchanges nothing of the fact for something else of it.
    const isOfFact = holdsHit((terms[mark.from] as Term).clause, summary, match);
    if (mark.mark === "withdrawal" && fact.prepared.signs.any && isOfFact && exchanges()) return;
    const isOwn = (own: Marked) =>
      isSameMark(own, mark) ||
      (own.mark === mark.mark && (own.mark === "failure" || keyAt(fact.prepared, own) === keyAt(summary, mark)));
    if (!fact.prepared.marks.some(isOwn)) added.set(mark.mark, mark);
  };
  for (let at = first; at <= last; at++) for (const mark of marksOf[at] ?? []) if (bears(mark, fact, summary, match)) add(mark);
  // "That was reversed." behind it.
  const next = sentences[last + 1];
  if (next && next.block.start === sentences[last]?.block.start)
    for (const mark of marksOf[last + 1] ?? []) if (mark.mark === "withdrawal" && speaksOf(mark, fact, summary)) add(mark);
  const label = new Map<Found, Marked>();
  for (const mark of labelMarks(summary, sentences[first]?.block)) {
    const undone = mark.mark === "completion" && summary.signs.sure[mark.from] === 1;
    if (!label.has(mark.mark) && !undone) label.set(mark.mark, mark);
  }
  // Under "Rejected", what was turned down need not be denied again.
  const labelled = denied && LABELS.some((mark) => label.has(mark));
  const stands = labelAt(fact, summary, match, exact, lexicon);
  return { added, label, flipped: labelled ? [] : flips(fact, summary, match, denied, exact), ...(stands && { stands }) };
}

/** Does a mark of the same sentence say something about the match, or about something else? */
function bears(mark: Marked, fact: Profile, summary: Indexed, match: Overlap): boolean {
  const { terms } = summary;
  const { clause } = terms[mark.from] as Term;
  if (mark.from >= match.from && mark.from < match.to) {
    // A negation inside is judged by the words it denies.
    if (mark.mark === "negation" || mark.mark === "denial") return false;
    return holdsHit(clause, summary, match) || lacksSubject(mark, fact, summary);
  }
  if (mark.mark === "negation" && mark.from >= match.to && deniesRival(mark, fact, summary)) return false;
  if (mark.from < match.from && clause === (terms[match.from] as Term).clause) return mark.mark !== "negation";
  if (mark.from >= match.to && clause === (terms[match.to - 1] as Term).clause)
    return !hasOwn(match.to, mark.from, fact, summary);
  return lacksSubject(mark, fact, summary);
}

/** "…, not in Postgres": a name that the fact does not know is denied, and nothing of the fact. */
function deniesRival({ to }: Marked, fact: Profile, { terms }: Indexed): boolean {
  const { clause } = terms[to - 1] as Term;
  let at = to;
  while (terms[at]?.clause === clause && terms[at]?.weight !== "content") at++;
  const denied = terms[at];
  if (!denied || denied.clause !== clause || fact.content.has(denied.key)) return false;
  return denied.named || denied.sort !== "word";
}

const holdsHit = (clause: number, { terms }: Indexed, { hits }: Overlap) => hits.some(({ at }) => terms[at]?.clause === clause);

/** Nothing of its own stands before the mark in its clause, so it speaks of what the sentence speaks of. */
function lacksSubject(mark: Marked, fact: Profile, summary: Indexed): boolean {
  const { terms, marksOf } = summary;
  const { clause, sentence } = terms[mark.from] as Term;
  let from = mark.from;
  while (terms[from - 1]?.clause === clause) from--;
  const refers = (marksOf[sentence] ?? []).some(
    (other) => other.mark === "reference" && other.from >= from && other.from <= from + 1 && other.from <= mark.from,
  );
  return refers || !hasOwn(from, mark.from, fact, summary);
}

/** Does a mark of another sentence speak of the fact? "It is not to be dropped." does, but drops nothing. */
export function speaksOf(mark: Marked, fact: Profile, summary: Indexed): boolean {
  const from = summary.sentences[(summary.terms[mark.from] as Term).sentence]?.from ?? mark.from;
  return !summary.signs.sure[mark.from] && !namesOther(from, mark, fact, summary) && lacksSubject(mark, fact, summary);
}

/** "`other_test` was slow but is fixed": a name before the mark that is none of the fact's is what the sentence is about. */
const namesOther = (from: number, mark: Marked, fact: Profile, { terms }: Indexed) =>
  terms.slice(from, mark.from).some(({ sort, key }) => sort === "name" && !fact.content.has(key));

function hasOwn(from: number, to: number, fact: Profile, { terms, marksOf }: Indexed): boolean {
  for (let at = from; at < to; at++) {
    const term = terms[at] as Term;
    if (term.weight !== "content" || fact.content.has(term.key)) continue;
    const refers = (marksOf[term.sentence] ?? []).some((mark) => mark.mark === "reference" && mark.from <= at && at < mark.to);
    if (!refers) return true;
  }
  return false;
}

/** Marks of the headings and introducing lines above, as far as they are mere labels. */
function labelMarks({ blocks, sentences, marksOf, terms }: Indexed, block: Block | undefined): readonly Marked[] {
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
