// Finds what the words around a place do to it: deny, weaken, limit or withdraw it.

import type { SummaryBlock } from "../read/blocks.js";
import type { Indexed } from "../read/index-summary.js";
import type { FoundMark, Lexicon } from "../read/lexicon.js";
import { SIGN } from "../read/signs.js";
import { hasContent, isSameMark, type Marked, type Term } from "../read/terms.js";
import { type Flip, flips } from "./flips.js";
import { LABEL_WORDS, type Label, labelAt } from "./labels.js";
import type { Overlap, Profile } from "./overlap.js";
import { lacksSubject } from "./taken-back.js";

export interface Tone {
  /** Marks that apply to the place and that the fact does not have, one of each sort. */
  readonly added: ReadonlyMap<FoundMark, Marked>;
  /** Words of the fact that only one of the two denies. */
  readonly flipped: readonly Flip[];
  /** Marks of the headings and lead-ins above the place. */
  readonly label: ReadonlyMap<FoundMark, Marked>;
  /** The label that covers the place. */
  readonly stands?: Label;
}

const BEARING: ReadonlySet<FoundMark> = new Set<FoundMark>([
  "hedge",
  "withdrawal",
  "completion",
  "pending",
  "failure",
  "negation",
  "denial",
  "gate",
]);
const DENYING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial", "exchange"]);
const LABELS: readonly FoundMark[] = ["negation", "denial", "withdrawal"];

export function toneOf(fact: Profile, summary: Indexed, match: Overlap, denied: boolean, exact: boolean, lexicon: Lexicon): Tone {
  const { terms, sentences, marksOf } = summary;
  const first = (terms[match.from] as Term).sentence;
  const last = (terms[match.to - 1] as Term).sentence;
  const added = new Map<FoundMark, Marked>();
  const add = (mark: Marked) => {
    if (BEARING.has(mark.mark) && !added.has(mark.mark) && !isOwn(mark, fact, summary)) added.set(mark.mark, mark);
  };
  for (let at = first; at <= last; at++)
    for (const mark of marksOf[at] ?? []) if (speaksOfPlace(mark, fact, summary, match, lexicon)) add(mark);
  const label = new Map<FoundMark, Marked>();
  for (const mark of labelMarks(summary, sentences[first]?.block)) {
    const undone = mark.mark === "completion" && summary.signs.of[mark.from] === SIGN.denied;
    if (!label.has(mark.mark) && !undone) label.set(mark.mark, mark);
  }
  // Under "Rejected", what was rejected need not be denied again.
  const labelled = denied && LABELS.some((mark) => label.has(mark));
  const stands = labelAt(fact, summary, match, exact, lexicon);
  // In a quote, line and clause breaks mean nothing.
  const isQuoted = exact && !denied && sameDenials(fact, summary, match, lexicon);
  const flipped = labelled || isQuoted ? [] : flips(fact, summary, match, denied, exact);
  return { added, label, flipped, ...(stands && { stands }) };
}

/** Does the fact have the mark itself, or say the same in another way? */
function isOwn(mark: Marked, fact: Profile, summary: Indexed): boolean {
  const { terms, marksOf } = summary;
  const there = marksOf[(terms[mark.from] as Term).sentence] ?? [];
  const own = fact.prepared;
  const isThere = (wanted: FoundMark) => there.some((one) => one.mark === wanted && one.from === mark.from);
  // "Has not been translated yet" does not say that it is complete.
  if (mark.mark === "completion" && summary.signs.of[mark.from] === SIGN.denied) return true;
  // "Without" can be a denial.
  if (mark.mark === "gate" && (isThere("negation") || own.marks.some((one) => one.mark === "gate"))) return true;
  // "The file was removed" can express "removing the file".
  const isOwnWord = ({ key, weight }: Term, at: number) =>
    (at > 0 && weight !== "content") || own.terms.some((one) => one.sort === "word" && key !== "" && one.key === key);
  const isWord = terms.slice(mark.from, mark.to).every(isOwnWord);
  const isContent = terms[mark.from]?.weight === "content";
  if (isWord && (mark.mark === "hedge" || (isContent && mark.mark !== "negation" && mark.mark !== "denial"))) return true;
  return own.marks.some(
    (one) =>
      isSameMark(one, mark) ||
      (one.mark === mark.mark && (mark.mark === "failure" || own.terms[one.from]?.key === terms[mark.from]?.key)),
  );
}

/** A mark counts unless its clause has its own subject. Denials inside the match are compared word by word instead. */
function speaksOfPlace(mark: Marked, fact: Profile, summary: Indexed, match: Overlap, lexicon: Lexicon): boolean {
  const { terms } = summary;
  const isInside = mark.from >= match.from && mark.from < match.to;
  if (isInside && (mark.mark === "negation" || mark.mark === "denial")) return false;
  const { clause } = terms[mark.from] as Term;
  const shares = isInside && match.hits.some(({ at }) => terms[at]?.clause === clause);
  return shares || lacksSubject(mark, fact, summary, lexicon);
}

/** Do the sentences of a place have as many denials as the fact? */
export function sameDenials(fact: Profile, summary: Indexed, match: Overlap, lexicon: Lexicon): boolean {
  const { prepared } = fact;
  const { marksOf, terms } = summary;
  const count = (marks: readonly Marked[]) => {
    // "Neither A nor B" is one denial.
    const joined = new Set(marks.flatMap(({ mark, from }) => (mark === "coordinator" ? [from] : [])));
    return new Set(marks.flatMap(({ mark, from }) => (DENYING.has(mark) && !joined.has(from) ? [from] : []))).size;
  };
  const clauses = new Set(match.hits.map(({ at }) => terms[at]?.clause));
  const speaks = (mark: Marked) => clauses.has(terms[mark.from]?.clause) || lacksSubject(mark, fact, summary, lexicon);
  let there = 0;
  const last = terms[match.to - 1]?.sentence ?? -1;
  for (let sentence = terms[match.from]?.sentence ?? 0; sentence <= last; sentence++)
    there += count((marksOf[sentence] ?? []).filter(speaks));
  return there === count(prepared.marks);
}

const LIMITING: ReadonlySet<FoundMark> = new Set<FoundMark>(["place", "condition", "gate"]);

/** A clause next to the fact's that says where, when or for what: "at least for demo accounts". */
export function clauseBeside(fact: Profile, summary: Indexed, match: Overlap): string | undefined {
  const { terms, sentences, marksOf } = summary;
  const clauses = new Set(match.hits.map(({ at }) => terms[at]?.clause));
  const last = terms[match.to - 1]?.sentence ?? -1;
  for (let sentence = terms[match.from]?.sentence ?? 0; sentence <= last; sentence++) {
    const { to } = sentences[sentence] as { readonly to: number };
    for (const { mark, key, from } of marksOf[sentence] ?? []) {
      const { clause } = terms[from] as Term;
      if (!LIMITING.has(mark) || clauses.has(clause)) continue;
      let start = from;
      while (terms[start - 1]?.clause === clause) start--;
      if (hasContent(terms, start, from)) continue;
      for (let at = from + 1; at < to && terms[at]?.clause === clause; at++)
        if (terms[at]?.weight === "content" && !fact.content.has(terms[at]?.key ?? "")) return key;
    }
  }
  return undefined;
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
