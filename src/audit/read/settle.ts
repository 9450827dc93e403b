// Resolves marks that change each other: a permission that is denied, a comparison that is denied.
import type { Marked, Term } from "./terms.js";

/** A negation this close before a permission, in words, forbids: "is never really allowed". */
const NEAR_WORDS = 4;

export const settle = (terms: readonly Term[], marks: readonly Marked[]) => turnSides(terms, prefer(terms, forbid(terms, marks)));

/** "Never allowed" becomes a denial; "may not" is not a permission. */
function forbid(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  const gone = new Set<number>();
  const denials = new Map<Marked, Marked>();
  for (const [index, mark] of marks.entries()) {
    if (mark.mark !== "permission") continue;
    const { clause } = terms[mark.from] as Term;
    const isHere = (other: Marked | undefined) => other?.mark === "negation" && terms[other.from]?.clause === clause;
    let before = index - 1;
    while (before >= 0 && index - before <= NEAR_WORDS && !isHere(marks[before])) before--;
    const negation = marks[before];
    if (negation && isHere(negation) && negation.to <= mark.from) {
      gone.add(mark.from);
      if (mark.from - negation.to < NEAR_WORDS)
        denials.set(negation, { ...negation, mark: "denial", to: mark.to, forbids: true });
    } else if (
      marks.slice(index + 1, index + 1 + NEAR_WORDS).some((other) => other.mark === "negation" && other.from === mark.to)
    )
      gone.add(mark.from);
  }
  if (gone.size === 0) return marks;
  return marks.filter(({ from }) => !gone.has(from)).map((mark) => denials.get(mark) ?? mark);
}

/** "Chose A over B": what follows "over" was not chosen. */
function prefer(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  let clause: number | undefined;
  let any = false;
  const found = marks.flatMap((mark) => {
    if (mark.mark === "choice") clause = terms[mark.from]?.clause;
    if (mark.mark !== "rival" || clause === undefined || terms[mark.from]?.clause !== clause) return [mark];
    any = true;
    return [mark, { ...mark, mark: "negation" as const }];
  });
  return any ? found : marks;
}

/** "May not take more than 5 s" means "at most 5 s": the negation reverses the comparison and is removed. */
function turnSides(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  const turned = new Map<Marked, Marked>();
  const gone = new Set<Marked>();
  for (const [index, side] of marks.entries()) {
    if (side.mark !== "above" && side.mark !== "below") continue;
    const { clause } = terms[side.from] as Term;
    for (let before = index - 1; before >= 0 && terms[(marks[before] as Marked).from]?.clause === clause; before--) {
      const denial = marks[before] as Marked;
      if ((denial.mark !== "negation" && !denial.forbids) || denial.to > side.from || gone.has(denial)) continue;
      const words = terms.slice(denial.to, side.from).filter(({ weight }) => weight === "content").length;
      if (words > TURNED_WORDS || side.from - denial.to > TURNED_REACH) break;
      turned.set(side, { ...side, mark: side.mark === "above" ? "below" : "above" });
      gone.add(denial);
      break;
    }
  }
  return gone.size === 0 ? marks : marks.flatMap((mark) => (gone.has(mark) ? [] : [turned.get(mark) ?? mark]));
}

/** Most words, and most content words, between a denial and the comparison that it reverses. */
const TURNED_REACH = 8;
const TURNED_WORDS = 3;
