// Whether two texts speak of the same time and the same number, where no order is told.
import { type Indexed, marksAround } from "./audit-index.js";
import type { Found } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked } from "./audit-text.js";

const TIMES: ReadonlySet<Found> = new Set<Found>(["later", "earlier", "next", "gate", "period"]);

/** "After the start" is not "during the start"; where an order is told, it was compared. */
export function sameTimes({ prepared }: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  const times = (marks: readonly Marked[]) => new Set(marks.flatMap(({ mark }) => (TIMES.has(mark) ? [mark] : [])));
  const [own, there] = [times(prepared.marks), times(marksAround(summary, from, to))];
  if (prepared.sequences.length > 0) return own.has("period") === there.has("period");
  return own.size === there.size && [...own].every((mark) => there.has(mark));
}

/** "Two users" are not "one user twice": a number in words stands before the same word. */
export function sameCounts(fact: Profile, { terms }: Indexed, { hits }: Overlap): boolean {
  const own = fact.prepared.terms;
  return [...fact.content].every(([key, { term, at }]) => {
    const next = own[at + 1];
    if (term.sort !== "word" || !/^\d/.test(key) || next?.weight !== "content") return true;
    return hits.some((hit) => hit.key === key && terms[hit.at + 1]?.key === next.key);
  });
}
