// Which words of a text are denied. A negation denies what follows in its clause, a denial its whole clause.
import {
  clauseAround,
  endOfClause,
  endOfFirst,
  endOfRun,
  hasContent,
  isFilling,
  isShort,
  startOfClause,
  startOfLead,
} from "./audit-clauses.js";
import type { Marked, ReadText, Term } from "./audit-text.js";

/** How a term is denied. Loosely: a text may deny it or not, and mean the same. By its place: behind "without". */
export const DENIED = { not: 0, surely: 1, loosely: 2, byPlace: 3 } as const;

export interface Signs {
  readonly denied: Uint8Array;
  /** Terms that may be denied too: they stand beside a negation in its clause (surely), or before "without" (byPlace). */
  readonly perhaps: Uint8Array;
  /** Denied beyond doubt: of what stands behind "without", only the next words. */
  readonly sure: Uint8Array;
  /** Denied as what something else takes the place of. */
  readonly exchanged: Uint8Array;
  /** Neither denied nor said beyond doubt. */
  readonly open: Uint8Array;
  /** Denied as the place of what is denied: "not A in B". */
  readonly soft: Uint8Array;
  /** Is anything denied at all? */
  readonly any: boolean;
}

/** A negation this near before a denial turns it round: "not ruled out". */
const NEAR_WORDS = 3;

export function toSigns({ terms, marks }: ReadText): Signs {
  const denied = new Uint8Array(terms.length);
  const perhaps = new Uint8Array(terms.length);
  const sure = new Uint8Array(terms.length);
  const open = new Uint8Array(terms.length);
  const soft = new Uint8Array(terms.length);
  const exchanged = new Uint8Array(terms.length);
  const cancelled = cancelledMarks(terms, marks);
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  const places = new Set(marks.flatMap(({ mark, from }) => (mark === "place" || mark === "condition" ? [from] : [])));
  let any = false;
  for (const mark of marks) {
    if ((mark.mark !== "negation" && mark.mark !== "denial" && mark.mark !== "exchange") || cancelled.has(mark)) continue;
    any = true;
    const { low, high } = clauseAround(terms, mark);
    if (mark.mark === "exchange") {
      // "Replace A with B" denies A, and so does "A is replaced by B".
      let end = mark.to;
      while (end < high && !relations.has(end)) end++;
      if (hasContent(terms, mark.to, end)) {
        denied.fill(DENIED.surely, mark.to, end);
        sure.fill(1, mark.to, end);
        exchanged.fill(1, mark.to, end);
        // "Guards written by hand": what follows may belong to what is replaced.
        perhaps.fill(DENIED.surely, end, high);
      } else {
        denied.fill(DENIED.surely, low, mark.from);
        sure.fill(1, low, mark.from);
      }
      continue;
    }
    const whole = mark.mark === "denial";
    // "In production, never …", "… and was rejected": what stands before may be meant.
    const lead = startOfLead(terms, low, places);
    const earlier = whole && !hasContent(terms, low, high) ? startOfClause(terms, low) : lead;
    open.fill(1, earlier, low);
    mend(perhaps, earlier, low, DENIED.surely);
    // Words before "without" are meant by it only where those behind it may be put there.
    const placed = relations.has(mark.from);
    perhaps.fill(DENIED.surely, mark.to, high);
    mend(perhaps, low, mark.to, placed ? DENIED.byPlace : DENIED.surely);
    denied.fill(placed ? DENIED.byPlace : DENIED.surely, whole ? low : mark.to, high);
    const next = placed ? endOfRun(terms, mark.to, high) : high;
    if (!placed && !whole) soft.fill(1, endOfFirst(terms, mark.to, high, places), high);
    sure.fill(1, whole ? low : mark.to, next);
    open.fill(1, next, high);
    if (!placed) open.fill(1, low, mark.from);
    const silent = !hasContent(terms, mark.to, high);
    // "The cache is never used": nothing behind it could be denied but what stands before.
    if (silent && high > mark.to && hasContent(terms, low, mark.from)) mend(denied, low, mark.from, DENIED.loosely);
    // "…, the index is not.": what stands before is denied.
    if (!whole && high === mark.to && hasContent(terms, low, mark.from)) {
      denied.fill(DENIED.surely, low, mark.from);
      sure.fill(1, low, mark.from);
    }
    const alone = isFilling(terms, mark.to, high);
    // ", debug too": a short clause behind goes with the one before.
    if (!alone && isShort(terms, high)) perhaps.fill(DENIED.surely, high, endOfClause(terms, high));
    if (!alone || (whole && hasContent(terms, low, mark.from))) continue;
    // "Never, under any circumstances, …", "Rejected: …": what it denies comes behind the next mark.
    const { sentence } = terms[mark.from] as Term;
    let end = high;
    while (terms[end]?.sentence === sentence && (!whole || end < endOfClause(terms, high))) end++;
    denied.fill(DENIED.surely, high, end);
    perhaps.fill(DENIED.surely, high, end);
    sure.fill(1, high, end);
  }
  return { denied, perhaps, sure, open, exchanged, soft, any };
}

/** Fills what is still empty. */
function mend(signs: Uint8Array, from: number, to: number, sign: number): void {
  for (let at = from; at < to; at++) if (signs[at] === 0) signs[at] = sign;
}

function cancelledMarks(terms: readonly Term[], marks: readonly Marked[]): ReadonlySet<Marked> {
  const cancelled = new Set<Marked>();
  const clauseOf = ({ from }: Marked) => (terms[from] as Term).clause;
  let negation: Marked | undefined;
  for (const mark of marks) {
    if (mark.mark === "negation") negation = mark;
    else if (mark.mark === "denial" && !mark.forbids && negation && clauseOf(negation) === clauseOf(mark)) {
      const words = mark.from - negation.to;
      if (words >= 0 && words < NEAR_WORDS) cancelled.add(mark).add(negation);
    }
  }
  return cancelled;
}
