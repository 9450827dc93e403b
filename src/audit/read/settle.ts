// Resolves marks that change each other: a permission that is denied, an order in time expressed by a denial.
import { endOfRun, hasContent } from "./clauses.js";
import type { Marked, Sentence, Sequence, Term, TermRange, Weighable } from "./terms.js";

interface Settled {
  readonly marks: readonly Marked[];
  readonly sequences: readonly Sequence[];
}

/** A negation this close before a permission, in words, forbids: "is never really allowed". */
const NEAR_WORDS = 4;

export function settle(terms: readonly Weighable[], sentences: readonly Sentence[], marks: readonly Marked[]): Settled {
  const allowed = turnSides(terms, prefer(terms, forbid(terms, marks)));
  const sequences: Sequence[] = [];
  const used = new Set<Marked>();
  const told = new Set<number>();
  const rivals = new Set(allowed.flatMap(({ mark, from, to }) => (mark === "relation" && to - from > 1 ? [from] : [])));
  const joins = allowed.flatMap(({ mark, from }) => (mark === "coordinator" ? [from] : []));
  const frames = allowed.flatMap(({ mark, from }) => (mark === "frame" ? [from] : []));
  const bySentence = new Map<number, Marked[]>();
  for (const mark of allowed) {
    if (mark.mark !== "negation" && mark.mark !== "denial") continue;
    // "Rather than" denies one of two things, not an event.
    if (rivals.has(mark.from)) continue;
    const { sentence } = terms[mark.from] as Term;
    const list = bySentence.get(sentence);
    if (list) list.push(mark);
    else bySentence.set(sentence, [mark]);
  }
  for (const mark of allowed) {
    const { sentence } = terms[mark.from] as Term;
    // "Nobody holds that A comes before B" denies the whole statement, not the order.
    const denials = (bySentence.get(sentence) ?? []).filter(({ from }) => !frames.some((at) => from < at && at < mark.from));
    const found = sequenceOf(mark, terms, sentences, sentence, denials, joins);
    if (!found) continue;
    sequences.push({ first: found.first, later: found.later, denied: found.used.length > 0, sentence });
    told.add(sentence);
    for (const one of found.used) used.add(one);
    for (let at = mark.from; at < mark.to; at++) (terms[at] as Weighable).weight = "filler";
  }
  // Next to an explicit order, "first" adds nothing.
  for (const { mark, from, to } of allowed)
    if (mark === "first" && told.has((terms[from] as Term).sentence))
      for (let at = from; at < to; at++) (terms[at] as Weighable).weight = "filler";
  const places = new Set([...used].map(({ from }) => from));
  return {
    sequences,
    marks: used.size === 0 ? allowed : allowed.filter(({ from, mark }) => !places.has(from) || mark === "gate"),
  };
}

/** "Never allowed" becomes a denial; "may not" is not a permission. */
function forbid(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  const gone = new Set<number>();
  const denials = new Map<Marked, Marked>();
  for (const [index, mark] of marks.entries()) {
    if (mark.mark !== "permission") continue;
    const { clause } = terms[mark.from] as Term;
    const isHere = (other: Marked | undefined) => other?.mark === "negation" && terms[other.from]?.clause === clause;
    let before = index - 1;
    while (before >= 0 && index - before <= NEAR_WORDS && !isHere(marks[before])) before--;
    const negation = marks[before];
    if (negation && isHere(negation) && negation.to <= mark.from) {
      gone.add(mark.from);
      if (mark.from - negation.to < NEAR_WORDS)
        denials.set(negation, { ...negation, mark: "denial", to: mark.to, forbids: true });
    } else if (
      marks.slice(index + 1, index + 1 + NEAR_WORDS).some((other) => other.mark === "negation" && other.from === mark.to)
    )
      gone.add(mark.from);
  }
  if (gone.size === 0) return marks;
  return marks.filter(({ from }) => !gone.has(from)).map((mark) => denials.get(mark) ?? mark);
}

/** "Chose A over B": what follows "over" was not chosen. */
function prefer(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  let clause: number | undefined;
  let any = false;
  const found = marks.flatMap((mark) => {
    if (mark.mark === "choice") clause = terms[mark.from]?.clause;
    if (mark.mark !== "rival" || clause === undefined || terms[mark.from]?.clause !== clause) return [mark];
    any = true;
    return [mark, { ...mark, mark: "negation" as const }];
  });
  return any ? found : marks;
}

/** "May not take more than 5 s" means "at most 5 s": the negation reverses the comparison and is removed. */
function turnSides(terms: readonly Term[], marks: readonly Marked[]): readonly Marked[] {
  const turned = new Map<Marked, Marked>();
  const gone = new Set<Marked>();
  for (const [index, side] of marks.entries()) {
    if (side.mark !== "above" && side.mark !== "below") continue;
    const { clause } = terms[side.from] as Term;
    for (let before = index - 1; before >= 0 && terms[(marks[before] as Marked).from]?.clause === clause; before--) {
      const denial = marks[before] as Marked;
      if ((denial.mark !== "negation" && !denial.forbids) || denial.to > side.from || gone.has(denial)) continue;
      const words = terms.slice(denial.to, side.from).filter(({ weight }) => weight === "content").length;
      if (words > TURNED_WORDS || side.from - denial.to > TURNED_REACH) break;
      turned.set(side, { ...side, mark: side.mark === "above" ? "below" : "above" });
      gone.add(denial);
      break;
    }
  }
  return gone.size === 0 ? marks : marks.flatMap((mark) => (gone.has(mark) ? [] : [turned.get(mark) ?? mark]));
}

/** Most words, and most content words, between a denial and the comparison that it reverses. */
const TURNED_REACH = 8;
const TURNED_WORDS = 3;

interface Told {
  readonly first: TermRange;
  readonly later: TermRange;
  /** The denials that only express the order. */
  readonly used: readonly Marked[];
}

function sequenceOf(
  mark: Marked,
  terms: readonly Term[],
  sentences: readonly Sentence[],
  index: number,
  denials: readonly Marked[],
  joins: readonly number[],
): Told | undefined {
  const kind = mark.mark;
  if (kind !== "earlier" && kind !== "later" && kind !== "next" && kind !== "gate") return undefined;
  const sentence = sentences[index] as Sentence;
  const leads = !hasContent(terms, sentence.from, mark.from) || isMeasure(terms, sentence.from, mark.from);
  const { clause } = terms[mark.from] as Term;
  let end = mark.to;
  while (end < sentence.to && terms[end]?.clause === clause) end++;
  if (kind === "next") {
    // "A, and B thereafter": the clause that it ends comes later.
    if (!hasContent(terms, mark.to, sentence.to)) {
      let start = mark.from;
      while (start > sentence.from && terms[start - 1]?.clause === clause) start--;
      // "Keeps it for a day and deletes it afterwards": what follows "and" comes later.
      if (start === sentence.from) start = joins.findLast((at) => at > start && at < mark.from) ?? start;
      return told({ from: sentence.from, to: start }, { from: start, to: mark.from }, [], terms);
    }
    const before = sentences[index - 1];
    const earlier = !leads ? sentence : before?.block.start === sentence.block.start ? before : undefined;
    if (!earlier) return undefined;
    return told({ from: earlier.from, to: leads ? earlier.to : mark.from }, { from: mark.to, to: sentence.to }, [], terms);
  }
  // "A; once that is in, B": it refers back to what is before it.
  if (kind === "later" && !leads && end < sentence.to && !hasContent(terms, mark.to, end))
    return told({ from: sentence.from, to: mark.from }, { from: end, to: sentence.to }, [], terms);
  // "Before the release the map must work": without a comma, the next run of words is what comes later.
  const split = leads && end === sentence.to ? endOfRun(terms, mark.to, end) : end;
  let behind = { from: mark.to, to: leads ? split : sentence.to };
  const rest = leads ? { from: split, to: sentence.to } : { from: sentence.from, to: mark.from };
  const main = leads ? terms[split]?.clause : clause;
  const denial = denials.find((one) => one.from !== mark.from && terms[one.from]?.clause === main);
  if (denial && denial.from >= behind.from && denial.from < behind.to) {
    // "Pushing without a review is forbidden."
    if (kind !== "gate" || denial.mark !== "denial") return kind === "gate" ? undefined : orderOf(kind, behind, rest, terms);
    behind = { from: mark.to, to: denial.from };
  }
  if (!denial) return kind === "gate" ? undefined : orderOf(kind, behind, rest, terms);
  if (kind === "later") return undefined;
  return told(behind, rest, [denial, mark], terms);
}

/** "Two weeks after …": only says how much later. */
function isMeasure(terms: readonly Term[], from: number, to: number): boolean {
  if (to - from > MEASURE_WORDS) return false;
  const words = terms.slice(from, to).filter(({ weight }) => weight === "content");
  return words.length <= 2 && /^\d/.test(words[0]?.key ?? "");
}

const MEASURE_WORDS = 4;

const orderOf = (kind: "earlier" | "later", behind: TermRange, rest: TermRange, terms: readonly Term[]) =>
  kind === "earlier" ? told(rest, behind, [], terms) : told(behind, rest, [], terms);

function told(first: TermRange, later: TermRange, used: readonly Marked[], terms: readonly Term[]): Told | undefined {
  return hasContent(terms, first.from, first.to) && hasContent(terms, later.from, later.to) ? { first, later, used } : undefined;
}
