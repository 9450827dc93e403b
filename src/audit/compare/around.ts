// The words around a place: what is added, what limits or exempts.

import type { FoundMark } from "../read/lexicon.js";
import { clauseAround, hasContent, type Term } from "../read/terms.js";
import type { SummaryPlace } from "./overlap.js";

/** Content words that do not belong to the fact, in the clauses of the overlap. */
export function foreignWords(place: SummaryPlace): readonly Term[] {
  const { fact, overlap } = place;
  const own = new Set(overlap.hits.map(({ at }) => at));
  const [low, high] = clausesAround(place);
  return place.summary.terms
    .slice(low, high)
    .filter(
      ({ weight, vague, clause, key }, index) =>
        weight === "content" && !vague && place.clauses.has(clause) && !own.has(low + index) && !fact.content.has(key),
    );
}

/** The overlap and the rest of the clauses that it begins and ends in. */
export function clausesAround({ summary: { terms }, overlap, clauses }: SummaryPlace): readonly [low: number, high: number] {
  let [low, high] = [overlap.from, overlap.to];
  while (low > 0 && clauses.has(terms[low - 1]?.clause)) low--;
  while (high < terms.length && clauses.has(terms[high]?.clause)) high++;
  return [low, high];
}

const LIMITING: ReadonlySet<FoundMark> = new Set<FoundMark>(["place", "condition"]);

/** A clause next to the fact's that says where, when or for what: "at least for demo accounts". */
export function limitBeside({ fact, summary: { terms }, marks }: SummaryPlace): string | undefined {
  const limits = marks.find((mark) => {
    if (!LIMITING.has(mark.mark)) return false;
    const { low, high } = clauseAround(terms, mark);
    const isOther = ({ weight, key }: Term) => weight === "content" && !fact.content.has(key);
    return !hasContent(terms, low, mark.from) && terms.slice(mark.from + 1, high).some(isOther);
  });
  return limits?.key;
}

const EXEMPTING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "permission", "exception"]);

/** Another clause of the sentence that exempts something: "…, though Sam may", "…; hotfixes are not meant by this". */
export function exemption({ fact, summary, overlap, marks }: SummaryPlace): string | undefined {
  const { terms, signs } = summary;
  const inside = new Set<number | undefined>(terms.slice(overlap.from, overlap.to).map(({ clause }) => clause));
  const beside = marks.filter(({ from }) => !inside.has(terms[from]?.clause));
  const has = (wanted: FoundMark) => fact.prepared.marks.some(({ mark }) => mark === wanted);
  const isForAll = fact.prepared.signs.any || has("quantity") || has("limit");
  const found = beside.find((one) => {
    if (one.mark === "quantity") return has("limit");
    if (!EXEMPTING.has(one.mark)) return false;
    const { low, high } = clauseAround(terms, one);
    const isOther = (at: number) => {
      const own = fact.content.get((terms[at] as Term).key);
      return own !== undefined && !own.term.vague && signs.of[at] !== fact.prepared.signs.of[own.at];
    };
    // "Health checks do not": the verb is the fact's. It matters if the fact is about all of them.
    const isShort = isForAll && !hasContent(terms, one.to, high) && hasContent(terms, low, one.from);
    const refers = beside.some(({ mark, from }) => mark === "reference" && from >= one.to && from < high);
    return isShort || refers || terms.slice(one.to, high).some((_, step) => isOther(one.to + step));
  });
  return found?.key;
}
