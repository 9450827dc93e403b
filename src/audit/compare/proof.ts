// Decides whether a fact whose words are all there, but reworded, is proven.

import type { FoundMark } from "../read/lexicon.js";
import { SIGN } from "../read/signs.js";
import { listTerms, type Marked, type Term } from "../read/terms.js";
import type { Place, Profile } from "./overlap.js";
import type { Tone } from "./tone.js";

/** Share of the content words around a match that must belong to the fact. */
export const DENSITY = 0.6;
/** A fact with fewer content words is not proven if its light words are missing. */
const LEAST_WORDS = 5;

/** Why a place may not say the same although all words are there. */
export function unproven(place: Place): string | undefined {
  const { fact, match, marks } = place;
  if (match.fewer && match.missing.length === 0) return "a word of it is there less often";
  if (match.density < DENSITY) return "its words stand among others";
  const denied = marks.some(({ mark }) => mark === "denial");
  if (match.missingLight && !denied && fact.content.size < LEAST_WORDS) return "too few words to tell";
  const foreign = foreignWords(place);
  return foreign.length > 0 ? `with ${listTerms(foreign)}` : undefined;
}

/** Content words that do not belong to the fact, in the clauses of the match. */
export function foreignWords({ fact, summary: { terms }, match, clauses }: Place): readonly Term[] {
  const { content, light, others } = fact;
  const { from, to, hits } = match;
  const own = new Set(hits.map(({ at }) => at));
  let [low, high] = [from, to];
  while (low > 0 && clauses.has(terms[low - 1]?.clause)) low--;
  while (high < terms.length && clauses.has(terms[high]?.clause)) high++;
  return terms
    .slice(low, high)
    .filter(
      ({ weight, vague, quoted, proper, clause, key }, index) =>
        weight === "content" &&
        !vague &&
        clauses.has(clause) &&
        !own.has(low + index) &&
        !content.has(key) &&
        (proper || !light.has(key)) &&
        !(quoted && others.has(key)),
    );
}

const BINDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["relation", "negation", "place", "limit", "exception"]);

/** Does each small word that both have, such as "from" or "only", precede the same words? */
export function sameBindings({ fact: { prepared, content }, summary, marks }: Place): boolean {
  const own = boundWords(prepared.marks, prepared.terms, content);
  const there = boundWords(marks, summary.terms, content);
  return [...there].every(([key, words]) => {
    const meant = own.get(key);
    const isSwapped = [...words].some((word) => !meant?.has(word)) && [...(meant ?? [])].some((word) => !words.has(word));
    return meant === undefined || !isSwapped;
  });
}

/** The content words that follow each small word. */
function boundWords(
  marks: readonly Marked[],
  terms: readonly Term[],
  content: Profile["content"],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { mark, key, from, to } of marks) {
    if (!BINDING.has(mark)) continue;
    // "Just X" limits like "only X".
    const name = mark === "limit" || mark === "exception" ? mark : key;
    const words = found.get(name) ?? new Set();
    found.set(name, words);
    const isHere = (at: number) => terms[at]?.clause === terms[from]?.clause;
    let at = to;
    while (isHere(at) && terms[at]?.weight === "filler") at++;
    for (; isHere(at) && terms[at]?.weight === "content"; at++)
      if (content.has((terms[at] as Term).key)) words.add((terms[at] as Term).key);
  }
  return found;
}

/** A quantity that the summary leaves out. "All" may become "every". */
export function lostQuantity({ fact: { prepared }, marks }: Place): Marked | undefined {
  const own = prepared.marks.find((one) => one.mark === "quantity" && prepared.signs.of[one.from] === SIGN.said);
  return own && !marks.some(({ mark }) => mark === "quantity") ? own : undefined;
}

const TIMES: ReadonlySet<FoundMark> = new Set<FoundMark>(["later", "earlier", "next", "gate", "doer"]);

/** "After the start" is neither "during the start" nor "before the start". */
export function sameTimes({ fact, summary, marks: there, clauses }: Place): boolean {
  const isNear = (mark: Marked) => clauses.has(summary.terms[mark.from]?.clause);
  const times = (marks: readonly Marked[]) => {
    // "Without" can just be an absence.
    const denied = new Set(marks.flatMap((one) => (one.mark === "negation" ? [one.from] : [])));
    const found = marks.flatMap((one) => (TIMES.has(one.mark) && !denied.has(one.from) ? [one.mark] : []));
    return [...new Set(found)].sort().join();
  };
  return times(fact.prepared.marks) === times(there.filter(isNear));
}

// Is work in the same state as the fact says: done or still open?

/** The state is expressed by a word for it, or by the same verb forms. */
export function sameState({ fact, summary, match: { hits }, marks: there, attitude: { state } }: Place, tone: Tone): boolean {
  if (!state) return true;
  const mark = state === "open" ? "pending" : "completion";
  if (tone.added.has(mark) || tone.label.has(mark)) return true;
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
