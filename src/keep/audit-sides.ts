// On which side of a number something is: "over 25" is not "up to 25".
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

/** "Over 25" is not "up to 25", and not "25" either. */
export function otherSide(fact: Profile, summary: Indexed, { hits }: Overlap): string | undefined {
  for (const { at, key } of hits) {
    const own = fact.content.get(key);
    if (!own || !/^\d/.test(key)) continue;
    const meant = sideOf(fact.prepared.marks, own.at, fact.prepared.terms);
    if (meant !== sideOf(summary.marksOf[summary.terms[at]?.sentence ?? 0] ?? [], at, summary.terms))
      return `on another side of ${own.term.folded}`;
  }
  return undefined;
}

/** Places of a mark around the number that it is about, nearest first. */
const isBeside: readonly ((mark: Marked, at: number, leads: boolean) => boolean)[] = [
  ({ to }, at) => to === at,
  ({ from }, at, leads) => from === at + 1 && !leads,
  ({ from }, at, leads) => from === at + 2 && !leads,
  ({ to }, at) => to === at - 1,
];

function sideOf(marks: readonly Marked[], at: number, terms: readonly Term[]): Marked["mark"] | undefined {
  const sides = marks.filter(({ mark }) => mark === "above" || mark === "below");
  for (const isThere of isBeside) {
    const found = sides.find((mark) => isThere(mark, at, /^\d/.test(terms[mark.to]?.key ?? "")));
    if (found) return found.mark;
  }
  return undefined;
}
