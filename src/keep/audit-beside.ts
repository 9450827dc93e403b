// What stands beside or below a telling, in a clause, an item or a line of its own, and limits it or takes it back.
import { endOfClause } from "./audit-clauses.js";
import { type Indexed, marksAround } from "./audit-index.js";
import { takenBackBy } from "./audit-labels.js";
import type { Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";
import { speaksOf } from "./audit-tone.js";

export interface Beside {
  readonly verdict: "altered" | "contradicted";
  readonly why: string;
}

export function besideOf(fact: Profile, summary: Indexed, match: Overlap, lexicon: Lexicon): Beside | undefined {
  const back = takenBackBelow(fact, summary, match, lexicon);
  if (back !== undefined) return { verdict: "contradicted", why: `taken back by "${back}"` };
  const limit = limitBeside(fact, summary, match, lexicon);
  return limit === undefined ? undefined : { verdict: "altered", why: `weakened or limited by "${limit}"` };
}

interface Clause {
  readonly from: number;
  readonly to: number;
  /** The text between it and the match. */
  readonly between: string;
}

/** "Until Monday: …", "… (until Friday)", "…, in the prototype only", "Old: …". */
function limitBeside(fact: Profile, summary: Indexed, match: Overlap, lexicon: Lexicon): string | undefined {
  const { terms } = summary;
  const marks = marksAround(summary, match.from, match.to);
  const own = new Set(fact.prepared.marks.map(({ key }) => key));
  const has = (wanted: Marked["mark"], from: number, to: number) =>
    marks.find((one) => one.mark === wanted && one.from >= from && one.to <= to && !own.has(one.key));
  const { before, behind } = clausesBeside(summary, match);
  if (before && /^\W*:/.test(before.between)) {
    const words = terms.slice(before.from, before.to);
    const isSaid = ({ folded, weight, vague, key }: Term) =>
      lexicon.isBygone(folded) || weight === "filler" || vague || lexicon.isReference(key);
    const led = words.find(({ folded }) => lexicon.isBygone(folded));
    if (led && words.every(isSaid)) return led.folded;
  }
  for (const clause of [before, behind]) {
    if (!clause || terms.slice(clause.from, clause.to).some(({ key, weight }) => weight === "content" && fact.content.has(key)))
      continue;
    const { from, to } = clause;
    const gate = has("gate", from, to);
    const isDenied = gate && marks.some((one) => one.mark === "negation" && one.from === gate.from);
    const isApart = clause === before ? /^\W*[:,]/.test(clause.between) : /[(,–—[]|\s-\s/.test(clause.between);
    if (gate && gate.from === from && !isDenied && isApart) return gate.key;
    const limit = has("limit", from, to);
    if (clause === behind && limit && limit.to === to && summary.placed.has(from)) return limit.key;
  }
  return undefined;
}

/** The clauses right before and right behind a telling, in its sentence. */
function clausesBeside({ terms, text }: Indexed, match: Overlap): { readonly before?: Clause; readonly behind?: Clause } {
  const places = match.hits.map(({ at }) => at);
  let [from, to] = [Math.min(match.to - 1, ...places), Math.max(match.from, ...places) + 1];
  while (terms[from - 1]?.clause === terms[from]?.clause && terms[from - 1]?.weight !== "content") from--;
  while (terms[to]?.clause === terms[to - 1]?.clause && terms[to]?.weight !== "content") to++;
  const isNext = (one: number, other: number) =>
    terms[one]?.sentence === terms[other]?.sentence && terms[one]?.clause !== terms[other]?.clause;
  let start = from - 1;
  while (start > 0 && terms[start - 1]?.clause === terms[from - 1]?.clause) start--;
  const gap = (one: number, other: number) => text.slice(terms[one]?.end, terms[other]?.start ?? text.length);
  return {
    ...(from > 0 && isNext(from - 1, from) && { before: { from: start, to: from, between: gap(from - 1, from) } }),
    ...(terms[to] && isNext(to - 1, to) && { behind: { from: to, to: endOfClause(terms, to), between: gap(to - 1, to) } }),
  };
}

/** An item below it that says no more than that it is void, or a line further down that says so of what stands above. */
function takenBackBelow(fact: Profile, summary: Indexed, match: Overlap, lexicon: Lexicon): string | undefined {
  const { terms, sentences, backward } = summary;
  const last = (terms[match.to - 1] as Term).sentence;
  const block = sentences[last]?.block;
  for (
    let at = last + 1;
    sentences[at]?.block.above?.start === block?.start || sentences[at]?.block.start === block?.start;
    at++
  ) {
    if (sentences[at]?.block.start === block?.start) continue;
    const found = takenBackBy(fact, summary, at, lexicon)?.key ?? objectless(fact, summary, at)?.key;
    if (found !== undefined) return found;
  }
  for (const mark of backward) {
    const at = (terms[mark.from] as Term).sentence;
    if (at <= last) continue;
    const found = takenBackFrom(fact, summary, mark, lexicon);
    if (found !== undefined && (reachesAll(summary, mark) || sentences[at - 1]?.block.start === block?.start)) return found;
  }
  return undefined;
}

/** "Reverted in round 4" speaks of what it stands under, "removed `redis.ts`" of something else. */
function objectless(fact: Profile, summary: Indexed, sentence: number): Marked | undefined {
  const { terms, marksOf, text } = summary;
  return (marksOf[sentence] ?? []).find((mark) => {
    if (mark.mark !== "withdrawal" || !speaksOf(mark, fact, summary)) return false;
    const { clause } = terms[mark.from] as Term;
    let at = mark.to;
    while (terms[at]?.clause === clause && terms[at]?.weight === "filler" && !isPlaced(summary, at)) at++;
    const next = terms[at];
    const ends = next?.clause !== clause || next?.sentence !== sentence;
    if (ends) return !/^\W*:/.test(text.slice(terms[mark.to - 1]?.end, terms[mark.to]?.start));
    return next?.weight !== "content" || isPlaced(summary, at);
  });
}

const isPlaced = (summary: Indexed, at: number) =>
  summary.placed.has(at) ||
  (summary.marksOf[summary.terms[at]?.sentence ?? -1] ?? []).some(({ mark, from }) => mark === "relation" && from === at);

/** Content words of their own that a line may have before "above": "the point above". */
const NAMING_WORDS = 1;

function takenBackFrom(fact: Profile, summary: Indexed, { from, to }: Marked, lexicon: Lexicon): string | undefined {
  const { terms, sentences, marksOf, signs } = summary;
  const { sentence } = terms[from] as Term;
  const start = sentences[sentence]?.from ?? from;
  const named = terms
    .slice(start, from)
    .filter(({ weight, vague, key }) => weight === "content" && !vague && !fact.content.has(key));
  const marks = marksOf[sentence] ?? [];
  const denies = marks.some(({ mark, to: end }) => (mark === "negation" || mark === "denial") && end <= from);
  if (named.length > NAMING_WORDS || denies || sentences[sentence]?.question) return undefined;
  const found = marks.find((one) => one.mark === "withdrawal" && one.from >= to);
  const isNext = (at: number) => !terms.slice(to, at).some(({ weight }) => weight === "content");
  if (found && !signs.sure[found.from] && isNext(found.from) && terms[found.from]?.clause === terms[from]?.clause)
    return found.key;
  return takenBackBy(fact, summary, sentence, lexicon, to)?.key;
}

/** "All of the above" is all of it, "the point above" the one before. */
const reachesAll = ({ marksOf, terms }: Indexed, { from }: Marked) =>
  (marksOf[(terms[from] as Term).sentence] ?? []).some(({ mark, from: at }) => mark === "quantity" && at <= from);
