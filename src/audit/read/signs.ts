// Decides which words of a text are denied. A negation denies the rest of its clause, a denial its whole clause.
import {
  clauseAround,
  endOfClause,
  endOfRun,
  hasContent,
  isFilling,
  type Marked,
  type ReadText,
  startOfClause,
  type Term,
} from "./terms.js";

/** Open: the word may be denied or not without a change of meaning. */
export const SIGN = { said: 0, denied: 1, open: 2 } as const;

export interface Signs {
  /** The sign of each term. */
  readonly of: Uint8Array;
  /** Is anything denied? */
  readonly any: boolean;
}

/** A negation this close before a denial, in words, cancels it: "not ruled out". */
const NEAR_WORDS = 3;

export function toSigns({ terms, marks }: ReadText): Signs {
  const signs = new Uint8Array(terms.length);
  const cancelled = cancelledMarks(terms, marks);
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  const places = new Set(marks.flatMap(({ mark, from }) => (mark === "place" || mark === "condition" ? [from] : [])));
  const deny = (from: number, to: number) => signs.fill(SIGN.denied, from, to);
  const open = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (signs[at] === SIGN.said) signs[at] = SIGN.open;
  };
  let any = false;
  for (const mark of marks) {
    if ((mark.mark !== "negation" && mark.mark !== "denial" && mark.mark !== "exchange") || cancelled.has(mark)) continue;
    any = true;
    const { low, high } = clauseAround(terms, mark);
    const isLead = hasContent(terms, low, mark.from);
    if (mark.mark === "exchange") {
      // "Replace A with B" and "A is replaced by B" both deny A.
      let end = mark.to;
      while (end < high && !relations.has(end) && !places.has(end)) end++;
      if (hasContent(terms, mark.to, end)) {
        deny(mark.to, end);
        open(end, high);
      } else deny(low, mark.from);
    } else if (mark.mark === "denial") {
      // "… and was rejected" refers to the previous clause, "Rejected: …" to the next one.
      if (!hasContent(terms, low, high)) open(startOfClause(terms, low), low);
      deny(low, high);
      if (isFilling(terms, mark.to, high) && !isLead) deny(high, endOfClause(terms, high));
    } else if (relations.has(mark.from)) {
      // "Without X in Y", "rather than X for Y": only X is certainly denied.
      const end = endOfRun(terms, mark.to, high);
      deny(mark.to, end);
      open(end, high);
    } else {
      open(low, mark.from);
      deny(mark.to, high);
      // "The cache is never used": nothing after it can be denied, so it denies what is before it.
      if (isLead && !hasContent(terms, mark.to, high)) deny(low, mark.from);
      // "Never, under any circumstances, …": it denies the rest of the sentence.
      if (isFilling(terms, mark.to, high) && !isLead) deny(high, endOfSentence(terms, high, mark));
    }
  }
  return { of: signs, any };
}

function endOfSentence(terms: readonly Term[], from: number, mark: Marked): number {
  let end = from;
  while (terms[end]?.sentence === terms[mark.from]?.sentence) end++;
  return end;
}

function cancelledMarks(terms: readonly Term[], marks: readonly Marked[]): ReadonlySet<Marked> {
  const cancelled = new Set<Marked>();
  const clauseOf = ({ from }: Marked) => (terms[from] as Term).clause;
  let negation: Marked | undefined;
  for (const mark of marks) {
    if (mark.mark === "negation") negation = mark;
    else if (mark.mark === "denial" && negation && clauseOf(negation) === clauseOf(mark)) {
      const words = mark.from - negation.to;
      if (words >= 0 && words < NEAR_WORDS) cancelled.add(mark).add(negation);
    }
  }
  return cancelled;
}
