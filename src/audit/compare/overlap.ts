// Measures how much of a fact is in a stretch of a summary, how close together and in which order.
import { type Indexed, marksAround } from "../read/index-summary.js";
import type { FoundMark, Lexicon } from "../read/lexicon.js";
import { type Quotation, quotationAround } from "../read/quotations.js";
import { hasContent, type Marked, type ReadText, type Term } from "../read/terms.js";

interface ContentWord {
  readonly term: Term;
  /** Its first position. */
  readonly at: number;
}

export type Profile = ReturnType<typeof toProfile>;

export type Hit = { readonly at: number; readonly key: string };

export type Overlap = ReturnType<typeof overlapOf>;

/** What the kind of a fact adds to its words. */
export interface Attitude {
  /** The text names what was rejected, without saying so. */
  readonly denied: boolean;
  readonly state?: "open" | "done";
  /** It is a question, so doubt does not change it. */
  readonly question: boolean;
  /** It says that something was rejected, in any words. */
  readonly refusing: boolean;
  /** It was agreed, so calling it open changes it. */
  readonly settled: boolean;
}

/** A fact, and a place of the summary that may say it. */
export interface SummaryPlace {
  readonly fact: Profile;
  readonly attitude: Attitude;
  readonly summary: Indexed;
  readonly overlap: Overlap;
  /** The place is a quote of the fact. */
  readonly exact: boolean;
  /** What is between the quotation marks around it. */
  readonly quotation?: Quotation | undefined;
  readonly lexicon: Lexicon;
  /** The marks of the sentences that the overlap is in. */
  readonly marks: readonly Marked[];
  /** The clauses that have words of the fact. */
  readonly clauses: ReadonlySet<number | undefined>;
}

export function toPlace(given: Omit<SummaryPlace, "marks" | "clauses" | "quotation">): SummaryPlace {
  const { summary, overlap, exact } = given;
  const clauses = new Set(overlap.hits.map(({ at }) => summary.terms[at]?.clause));
  const quotation = exact ? quotationAround(summary, overlap.from, overlap.to) : undefined;
  if (!quotation) return { ...given, marks: marksAround(summary, overlap.from, overlap.to), clauses };
  const marks = marksAround(summary, quotation.from, quotation.to).filter((mark) => isBearing(mark, quotation, clauses, given));
  return { ...given, marks, clauses, quotation };
}

/** These marks count anywhere in the sentence around a quotation. */
const ENDING: ReadonlySet<FoundMark> = new Set<FoundMark>(["negation", "denial", "exchange", "withdrawal"]);

/** Does a mark count for quoted words? Other clauses of the quotation only do if it begins them: ", unless …". */
function isBearing(
  { mark, from, to }: Marked,
  quotation: Quotation,
  clauses: SummaryPlace["clauses"],
  { summary: { text, terms }, overlap }: Pick<SummaryPlace, "summary" | "overlap">,
): boolean {
  const { clause, sentence } = terms[from] as Term;
  if (from >= quotation.from && from < quotation.to) {
    const isNear = sentence >= (terms[overlap.from] as Term).sentence && sentence <= (terms[overlap.to - 1] as Term).sentence;
    return clauses.has(clause) || (isNear && /[,;(]/.test(text.slice(terms[from - 1]?.end, terms[from]?.start)));
  }
  return (
    ENDING.has(mark) || !(to <= quotation.from ? hasContent(terms, to, quotation.from) : hasContent(terms, quotation.to, from))
  );
}

export function toProfile(prepared: ReadText) {
  const content = new Map<string, ContentWord>();
  for (const [at, term] of prepared.terms.entries())
    if (term.weight === "content" && !content.has(term.key)) content.set(term.key, { at, term });
  return { prepared, content };
}

/** Compares the fact with the words of the summary from `low` up to, but not including, `high`. */
export function overlapOf(fact: Profile, summary: Indexed, low: number, high: number) {
  const { terms, otherKeys } = summary;
  const hits: Hit[] = [];
  for (let at = low; at < high; at++) {
    const term = terms[at] as Term;
    if (fact.content.has(term.key)) hits.push({ at, key: term.key });
    else if (otherKeys.size > 0) {
      const key = otherKeys.get(at)?.find((one) => fact.content.has(one));
      if (key !== undefined) hits.push({ at, key });
    }
  }
  const there = new Set(hits.map(({ key }) => key));
  const from = hits[0]?.at ?? low;
  const to = (hits.at(-1)?.at ?? low - 1) + 1;
  let [foreign, vague] = [0, 0];
  const missing: Term[] = [];
  for (const [key, { term }] of fact.content) if (!there.has(key)) term.vague ? vague++ : missing.push(term);
  for (let at = from, next = 0; at < to; at++) {
    if (hits[next]?.at === at) next++;
    else if (terms[at]?.weight === "content" && !terms[at]?.vague) foreign++;
  }
  const wanted = fact.content.size - (missing.length === 0 ? vague : 0);
  return {
    from,
    to,
    /** Positions in the summary of the fact's words, with their keys. */
    hits,
    missing,
    /** Share of the fact's content words that are there. */
    coverage: wanted === 0 ? 0 : there.size / wanted,
    /** Share of the content words there that belong to the fact. */
    density: hits.length === 0 ? 0 : hits.length / (hits.length + foreign),
    /** Share of the shared words that are in the fact's order. */
    order: hits.length === 0 ? 0 : rising(hits, fact) / there.size,
  };
}

/** Length of the longest stretch of hits in the order of the fact, with others between them. */
function rising(hits: readonly Hit[], { content }: Profile): number {
  const tails: number[] = [];
  for (const { key } of hits) {
    const place = content.get(key)?.at ?? 0;
    let at = tails.length;
    while (at > 0 && (tails[at - 1] as number) >= place) at--;
    tails[at] = place;
  }
  return tails.length;
}
