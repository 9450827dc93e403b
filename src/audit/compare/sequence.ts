// Compares order in time: does a summary say what comes first as the fact does?
import type { Indexed } from "../read/index-summary.js";
import type { Sequence, Term, TermRange } from "../read/terms.js";
import type { Overlap, Profile } from "./overlap.js";

/**
 * none: the fact has no order. lost: the summary leaves it out. denied: the summary denies the fact except in one case.
 * added: the summary puts something before or after that the fact does not name.
 */
export type Succession = "none" | "same" | "opposite" | "denied" | "added" | "lost";

interface Sides {
  readonly first: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
}

interface Told extends Sides {
  readonly denied: boolean;
}

export function successionOf({ prepared, content }: Profile, summary: Indexed, { from, to, hits }: Overlap): Succession {
  const low = summary.terms[from]?.sentence ?? 0;
  const high = summary.terms[to - 1]?.sentence ?? 0;
  const there: Told[] = [];
  for (let sentence = low; sentence <= high; sentence++)
    for (const sequence of summary.sequencesOf.get(sentence) ?? []) there.push(sidesOf(sequence, summary.terms));
  if (there.length === 0) return prepared.sequences.length === 0 ? "none" : "lost";
  const own = prepared.sequences.map((sequence) => sidesOf(sequence, prepared.terms));
  if (own.some((sides) => there.some(({ first, later }) => isSame(sides, { first: later, later: first })))) return "opposite";
  // A denial counts unless it expresses the fact's own order.
  const isDenying = (sides: Told) =>
    sides.denied && [...sides.later].some((key) => content.has(key)) && !own.some((one) => isSame(one, sides));
  if (there.some(isDenying)) return "denied";
  const clauses = new Set(hits.map(({ at }) => summary.terms[at]?.clause));
  const isForeign = ({ first, later }: Sequence) => [first, later].some((side) => isApart(side, content, clauses, summary.terms));
  for (let sentence = low; sentence <= high; sentence++) if (summary.sequencesOf.get(sentence)?.some(isForeign)) return "added";
  if (own.length === 0) return "none";
  return own.every((sides) => there.some((other) => isSame(sides, other))) ? "same" : "lost";
}

/** Most shared words are on the same side, and each side shares at least one. */
function isSame(own: Sides, other: Sides): boolean {
  const shared = (one: ReadonlySet<string>, two: ReadonlySet<string>) => [...one].filter((key) => two.has(key)).length;
  const [first, later] = [shared(own.first, other.first), shared(own.later, other.later)];
  const crossed = shared(own.first, other.later) + shared(own.later, other.first);
  return first > 0 && later > 0 && first + later >= 2 * crossed;
}

/** The words of each side, without words that are on both. */
function sidesOf({ first, later, denied }: Sequence, terms: readonly Term[]): Told {
  const keys = ({ from, to }: TermRange) =>
    new Set(terms.slice(from, to).flatMap(({ weight, key }) => (weight === "content" ? [key] : [])));
  const [one, two] = [keys(first), keys(later)];
  return {
    denied,
    first: new Set([...one].filter((key) => !two.has(key))),
    later: new Set([...two].filter((key) => !one.has(key))),
  };
}

/** A side without any word of the fact, in a clause of the match. */
function isApart(
  { from, to }: TermRange,
  content: Profile["content"],
  clauses: ReadonlySet<number | undefined>,
  terms: readonly Term[],
): boolean {
  const words = terms.slice(from, to).filter(({ weight }) => weight === "content");
  return words.every(({ key }) => !content.has(key)) && words.some(({ clause }) => clauses.has(clause));
}
