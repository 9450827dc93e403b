// Is work told as done, or as still to do, as the fact tells it?
import type { Attitude } from "./audit-against.js";
import { type Indexed, marksAround, type Prepared } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Term } from "./audit-text.js";
import type { Tone } from "./audit-tone.js";

export function isTold(fact: Profile, summary: Indexed, match: Overlap, tone: Tone, { state }: Attitude): boolean {
  return !tone.added.has("failure") && (!state || sameForms(fact, summary, match, tone, state));
}

/** Work is told by the forms of its words, or by a word that says how it stands. */
function sameForms(fact: Profile, summary: Indexed, { hits, from, to }: Overlap, tone: Tone, state: "open" | "done"): boolean {
  const mark = state === "open" ? "pending" : "completion";
  if (tone.added.has(mark) || tone.label.has(mark)) return true;
  const isDue = state === "open" && marksAround(summary, from, to).some((one) => one.mark === "duty");
  if (isDue && !tone.added.has("completion")) return true;
  return hits.every(({ at, key }) => {
    const own = fact.content.get(key)?.term;
    const there = summary.terms[at] as Term;
    if (own?.sort !== "word" || own.folded === there.folded) return true;
    if (state === "open") return false;
    // "Remove" is shorter than "removed", and an order begins with it.
    const sameWord = there.folded.startsWith(own.folded.slice(0, 3));
    return sameWord ? there.folded.length >= own.folded.length : summary.terms[at - 1]?.clause === there.clause;
  });
}

/** "Next: …", "Still open: …": the words of a lead that only says that work is to be done. */
export function labelOf({ terms, marks, text }: Prepared, { runs }: Lexicon): ReadonlySet<number> {
  const [first] = terms;
  let end = 0;
  while (end < terms.length && terms[end]?.clause === first?.clause) end++;
  if (end === terms.length || !text.slice(terms[end - 1]?.end, terms[end]?.start).startsWith(":")) return new Set();
  const held = new Set<number>();
  for (const { mark, from, to } of marks) if (mark === "pending") for (let at = from; at < to; at++) held.add(at);
  const isPending = (at: number) =>
    held.has(at) || (runs.get(terms[at]?.folded ?? "") ?? []).some(({ mark }) => mark === "pending");
  const places = [...terms.keys()].slice(0, end);
  return new Set(places.every((at) => terms[at]?.weight !== "content" || isPending(at)) ? places : []);
}
