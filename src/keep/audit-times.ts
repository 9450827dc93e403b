// Whether two texts speak of the same time and the same number, where no order is told.
import { type Indexed, marksAround } from "./audit-index.js";
import type { Found } from "./audit-lexicon.js";
import type { Overlap, Profile, Wanted } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

const TIMES: ReadonlySet<Found> = new Set<Found>(["later", "earlier", "gate"]);

/** "After the start" is not "during the start"; where an order is told, it was compared. */
export function sameTimes({ prepared }: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  if (prepared.sequences.length > 0) return true;
  const times = (marks: readonly Marked[]) => {
    // "Without" may tell what comes first, or only what is not there.
    const denied = new Set(marks.flatMap((one) => (one.mark === "negation" ? [one.from] : [])));
    return new Set(marks.flatMap((one) => (TIMES.has(one.mark) && !denied.has(one.from) ? [one.mark] : [])));
  };
  const there = times(marksAround(summary, from, to));
  return [...times(prepared.marks)].every((mark) => there.has(mark));
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

/** "5 minutes" and "3 times" are not "5 times" and "3 minutes": behind a number stands no other word of the fact. */
export function sameUnits(fact: Profile, { terms }: Indexed, { hits }: Overlap): boolean {
  const own = fact.prepared.terms;
  const unit = (all: readonly Term[], at: number) => (all[at + 1]?.weight === "filler" ? undefined : all[at + 1]?.key);
  return hits.every(({ at, key }) => {
    const wanted = fact.content.get(key);
    if (wanted?.term.sort !== "number" || wanted.count > 1) return true;
    const [meant, told] = [unit(own, wanted.at), unit(terms, at)];
    const isSame = meant === undefined || told === undefined || meant === told || !own.some((term) => term.key === told);
    const [near, there] = [beside(own, wanted.at), beside(terms, at)];
    const isOther = ([other, { term, at: place }]: readonly [string, Wanted]) =>
      other !== key && term.sort === "number" && beside(own, place).some((one) => there.includes(one));
    const isNear = (one: readonly string[], other: readonly string[]) => one.some((word) => other.includes(word));
    // "70 % of 480 ms" is not "480 % of 70 ms": no unit changes hands.
    const isHanded = ([other, { term, at: place }]: readonly [string, Wanted]) =>
      other !== key &&
      term.sort === "number" &&
      unit(own, place) === told &&
      hits.some((hit) => hit.key === other && unit(terms, hit.at) !== told);
    if (meant !== told && told !== undefined && [...fact.content].some(isHanded)) return false;
    return (
      isSame &&
      (isNear(near, there) || isNear(beside(own, wanted.at, true), beside(terms, at, true)) || ![...fact.content].some(isOther))
    );
  });
}

/** The nearest content word of the clause on each side; of "from 1 to 3 tries", beyond the other numbers. */
function beside(terms: readonly Term[], at: number, beyond = false): readonly string[] {
  const isPassed = (term: Term | undefined) => term?.weight !== "content" || (beyond && term.sort === "number");
  return [-1, 1].flatMap((step) => {
    let next = at + step;
    while (terms[next]?.clause === terms[at]?.clause && isPassed(terms[next])) next += step;
    return terms[next]?.clause === terms[at]?.clause ? [(terms[next] as Term).key] : [];
  });
}
