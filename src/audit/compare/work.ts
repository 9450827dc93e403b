// Checks that a summary gives work the same state as the fact: done or still open.

import { type Indexed, marksAround } from "../read/index-summary.js";
import type { Term } from "../read/terms.js";
import type { Attitude } from "./against.js";
import type { Overlap, Profile } from "./overlap.js";
import type { Tone } from "./tone.js";

export function isTold(fact: Profile, summary: Indexed, match: Overlap, tone: Tone, { state }: Attitude): boolean {
  return !tone.added.has("failure") && (!state || sameForms(fact, summary, match, tone, state));
}

/** The state is expressed by a word for it, or by the same verb forms. */
function sameForms(fact: Profile, summary: Indexed, { hits, from, to }: Overlap, tone: Tone, state: "open" | "done"): boolean {
  const mark = state === "open" ? "pending" : "completion";
  if (tone.added.has(mark) || tone.label.has(mark)) return true;
  const there = marksAround(summary, from, to);
  const isDue = state === "open" && there.some((one) => one.mark === "duty");
  if (isDue && !tone.added.has("completion")) return true;
  // "Replace" is not a content word, but its form counts too.
  const exchanges = fact.prepared.marks.flatMap((one) =>
    one.mark === "exchange" ? [fact.prepared.terms[one.from] as Term] : [],
  );
  const verbs = there.flatMap((one) =>
    one.mark === "exchange" ? [{ at: one.from, key: summary.terms[one.from]?.key ?? "" }] : [],
  );
  return [...hits, ...verbs].every(({ at, key }) => {
    const own = fact.content.get(key)?.term ?? exchanges.find((term) => term.key === key);
    const said = summary.terms[at] as Term;
    if (own?.sort !== "word" || own.folded === said.folded) return true;
    if (state === "open") return false;
    // "Remove" is shorter than "removed", and an instruction begins with it.
    const sameWord = said.folded.startsWith(own.folded.slice(0, 3));
    return sameWord ? said.folded.length >= own.folded.length : summary.terms[at - 1]?.clause === said.clause;
  });
}
