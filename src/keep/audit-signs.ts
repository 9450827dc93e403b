// Which words of a text are denied. A negation denies what follows in its clause, a denial its whole clause.
import type { Marked, ReadText, Term } from "./audit-text.js";

export interface Signs {
  /** Terms that are certainly denied. */
  readonly denied: Uint8Array;
  /** Clauses in which something is denied: their other words may be meant too. */
  readonly clauses: ReadonlySet<number>;
}

/** A negation this near before a denial turns it round: "not ruled out". */
const NEAR_WORDS = 3;

export function toSigns({ terms, marks }: ReadText): Signs {
  const denied = new Uint8Array(terms.length);
  const clauses = new Set<number>();
  const cancelled = new Set<Marked>();
  const clauseOf = ({ from }: Marked) => (terms[from] as Term).clause;
  let negation: Marked | undefined;
  for (const mark of marks) {
    if (mark.mark === "negation") negation = mark;
    else if (
      mark.mark === "denial" &&
      negation &&
      clauseOf(negation) === clauseOf(mark) &&
      mark.from - negation.to < NEAR_WORDS
    ) {
      if (mark.from >= negation.to) cancelled.add(mark).add(negation);
    }
  }
  for (const mark of marks) {
    if ((mark.mark !== "negation" && mark.mark !== "denial") || cancelled.has(mark)) continue;
    const clause = clauseOf(mark);
    clauses.add(clause);
    if (mark.mark === "denial") {
      for (let at = mark.from - 1; terms[at]?.clause === clause; at--) denied[at] = 1;
    }
    let alone = true;
    let at = mark.to;
    for (; terms[at]?.clause === clause; at++) {
      denied[at] = 1;
      if ((terms[at] as Term).weight !== "filler") alone = false;
    }
    // ", debug too": a short clause behind goes with the one before.
    if (!alone && isShort(terms, at)) clauses.add((terms[at] as Term).clause);
    // "Never, under any circumstances, …": what it denies comes behind the next comma.
    if (!alone || mark.mark === "denial") continue;
    const { sentence } = terms[mark.from] as Term;
    for (; terms[at]?.sentence === sentence; at++) {
      denied[at] = 1;
      clauses.add((terms[at] as Term).clause);
    }
  }
  return { denied, clauses };
}

/** Content words of a clause that cannot stand by itself. */
const SHORT_WORDS = 1;

function isShort(terms: readonly Term[], from: number): boolean {
  const first = terms[from];
  if (!first || first.sentence !== terms[from - 1]?.sentence) return false;
  let content = 0;
  for (let at = from; terms[at]?.clause === first.clause; at++) if ((terms[at] as Term).weight === "content") content++;
  return content <= SHORT_WORDS;
}
