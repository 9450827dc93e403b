// Decides whether a fact whose words are all there, but reworded, is proven.

import type { FoundMark } from "../read/lexicon.js";
import { hasContent, listTerms, type Marked, type ReadText, SIGN, type Term } from "../read/terms.js";
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

// Word order: is a place the fact's sentence, or the same with a passive?

/** Share of all words of the fact, including small ones, that are around the match in the same order. */
export function likeness({ fact, summary: { terms }, match: { from, to } }: Place): number {
  const own = fact.prepared.terms;
  const sentence = terms[from]?.sentence;
  let low = from;
  let high = to;
  while (low > 0 && from - low < own.length && terms[low - 1]?.sentence === sentence) low--;
  while (high < terms.length && high - to < own.length && terms[high]?.sentence === terms[to - 1]?.sentence) high++;
  const keys = terms.slice(low, high).map(({ key }) => key);
  const row = new Uint16Array(keys.length + 1);
  for (const { key } of own) {
    let [left, diagonal] = [0, 0];
    for (let at = 1; at < row.length; at++) {
      const above = row[at] as number;
      if (keys[at - 1] === key) left = diagonal + 1;
      else if (above > left) left = above;
      row[at] = left;
      diagonal = above;
    }
  }
  return own.length === 0 ? 0 : (row.at(-1) as number) / own.length;
}

/** The positions of a word in the fact and in the summary. */
interface WordPair {
  readonly own: number;
  readonly at: number;
}

/** Are the words in the fact's order? One verb may move when it becomes a passive: "passwords must not be logged". */
export function sameOrder({ fact: { prepared, content }, summary, match: { hits, order } }: Place): boolean {
  if (order >= 1) return true;
  const pairs = new Map<string, WordPair>();
  for (const { at, key } of hits) {
    const word = content.get(key);
    if (word && !word.term.vague && !pairs.has(key)) pairs.set(key, { own: word.at, at });
  }
  const there = [...pairs.values()];
  const own = [...there].sort((a, b) => a.own - b.own);
  const isMoved = (verb: WordPair) => {
    const others = there.filter((pair) => pair !== verb);
    return own.filter((pair) => pair !== verb).every((pair, index) => pair === others[index]);
  };
  const isTurned = (verb: WordPair) =>
    (opens(prepared, verb.own) && isPassive(summary, verb.at)) || (opens(summary, verb.at) && isPassive(prepared, verb.own));
  return own.some((verb) => isMoved(verb) && isTurned(verb));
}

/** Is it the first content word of its clause? */
export function opens({ terms }: ReadText, at: number): boolean {
  const { clause } = terms[at] as Term;
  let before = at - 1;
  while (terms[before]?.clause === clause && terms[before]?.weight !== "content") before--;
  return terms[before]?.clause !== clause;
}

/** Is it the verb of a passive that does not name who does it? */
export function isPassive({ terms, marks }: ReadText, at: number): boolean {
  const here = marks.filter(({ from }) => terms[from]?.clause === terms[at]?.clause);
  const passive = here.findLast(({ mark, from }) => mark === "passive" && from < at);
  return passive !== undefined && !hasContent(terms, passive.to, at) && !here.some(({ mark }) => mark === "doer");
}
