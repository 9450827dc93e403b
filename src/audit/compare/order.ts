// Compares word order: is a place the fact's sentence, or the same with a passive?
import type { PreparedText } from "../read/index-summary.js";
import { hasContent, type Term } from "../read/terms.js";
import type { Place } from "./overlap.js";

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
function opens({ terms }: PreparedText, at: number): boolean {
  const { clause } = terms[at] as Term;
  let before = at - 1;
  while (terms[before]?.clause === clause && terms[before]?.weight !== "content") before--;
  return terms[before]?.clause !== clause;
}

/** Is it the verb of a passive that does not name who does it? */
function isPassive({ terms, marks }: PreparedText, at: number): boolean {
  const here = marks.filter(({ from }) => terms[from]?.clause === terms[at]?.clause);
  const passive = here.findLast(({ mark, from }) => mark === "passive" && from < at);
  return passive !== undefined && !hasContent(terms, passive.to, at) && !here.some(({ mark }) => mark === "doer");
}
