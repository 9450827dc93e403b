// A fact may stand in a clause of which the rest of the sentence says that it is not so: "that X holds turned out to be wrong".
import { type Indexed, marksAround } from "./audit-index.js";
import type { Found } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Stretch } from "./audit-text.js";

const DENYING: ReadonlySet<Found> = new Set<Found>(["negation", "denial", "withdrawal"]);
const denials = (marks: readonly Marked[]) => marks.filter(({ mark }) => DENYING.has(mark));

/** Is more denied in the sentence than in the fact, and what is denied the whole of it? */
export function isDeniedAround({ prepared }: Profile, { terms, sentences, marksOf }: Indexed, { from, to }: Overlap): boolean {
  const own = denials(prepared.marks).length;
  const last = terms[to - 1]?.sentence ?? -1;
  for (let sentence = terms[from]?.sentence ?? 0; sentence <= last; sentence++) {
    const marks = marksOf[sentence] ?? [];
    const denying = denials(marks);
    if (denying.length <= own) continue;
    const frames = marks.filter(({ mark }) => mark === "frame");
    if (frames.some((frame) => frame.from === sentences[sentence]?.from || denying.some((one) => one.from < frame.from)))
      return true;
  }
  return false;
}

/** "We never agreed to never push": what a fact denies, the words around its own words deny once more. */
export function isDeniedAgain({ prepared }: Profile, summary: Indexed, { from, to }: Stretch): boolean {
  if (!prepared.signs.any) return false;
  const { terms } = summary;
  return denials(marksAround(summary, from, to)).some((mark) => {
    const next = mark.from < from ? from : to - 1;
    return (mark.from < from || mark.from >= to) && terms[mark.from]?.clause === terms[next]?.clause;
  });
}
