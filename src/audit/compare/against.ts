// Finds what a place says against a fact, and what makes its statement weaker.
import type { Indexed } from "../read/index-summary.js";
import type { FoundMark } from "../read/lexicon.js";
import { clauseAround, isSameMark, listTerms, type Marked, type Term } from "../read/terms.js";
import type { Place } from "./overlap.js";
import { doneAs, openedTo } from "./replaced.js";
import { isSolved } from "./taken-back.js";
import { sameDenials, type Tone } from "./tone.js";

/** From this coverage on, a place that lacks the fact's denial is about the same thing. */
const TOLD = 0.75;
/** From this share of shared words with a different denial on, the whole is denied. */
const FLIPPED = 0.33;

export function contradiction(place: Place, tone: Tone, isPending: boolean, isComparable: boolean): string | undefined {
  const { fact, summary, match } = place;
  const { denied, state, refusing } = place.attitude;
  const { added, flipped, label, stands } = tone;
  const { coverage, hits } = match;
  const said = (name: string, mark: { readonly key: string } | undefined) => (mark ? `${name} "${mark.key}"` : undefined);
  // "Redis was dropped" can mean that it was rejected, or that it was in use before.
  if (denied && added.has("withdrawal")) return undefined;
  // Of "do not touch the files", "files" alone says nothing.
  const words = [...fact.content.values()].filter(({ term }) => !term.vague).length;
  const isNamed = words - match.missing.length >= TOLD * words;
  // Where both deny as often, and the same thing, the denial may only reach further in other words.
  const isEven = sameDenials(place);
  const isSame = tone.isShared && isEven && !denied;
  // What the place only mentions may be denied there in other words, unless it denies something else.
  const isToldOnly = (tone.isMoved || !(tone.isShared || isEven)) && coverage >= TOLD && isNamed;
  const weighty = isPending || !isComparable || isSame ? [] : flipped.filter(({ there }) => there || denied || isToldOnly);
  const share = weighty.length / hits.length;
  if (weighty.length > 0 && (coverage >= 1 || share >= FLIPPED || weighty.some(({ term }) => term.sort !== "word")))
    return `denied in one of the two: ${listTerms(weighty.map(({ term }) => term))}`;
  const sure = (mark: Marked | undefined) => (mark && !isSolved(mark, summary) ? mark : undefined);
  const withdrawn = said("taken back by", sure(added.get("withdrawal")));
  if (withdrawn && !denied) return withdrawn;
  const negated = said(
    "denied by",
    [added.get("negation"), added.get("denial")].find((one) => one && !isElsewhere(one, place)),
  );
  if (negated && !denied && !isPending && !fact.prepared.signs.any) return negated;
  const labelled = said("stands under", sure(label.get("withdrawal")));
  if (labelled && !denied) return labelled;
  if (stands?.pure && !denied) {
    if (stands.standing === "void" || (stands.standing === "refusal" && !refusing)) return said("does not hold by", stands);
    if (stands.standing === "unsettled" && state === "done") return said("still to do by", stands);
  }
  const block = summary.sentences[(summary.terms[match.from] as Term).sentence]?.block;
  if (state === "done") {
    if (block?.task === "open") return "its box is open";
    const pending = said("still to do by", added.get("pending") ?? label.get("pending"));
    if (pending) return pending;
  }
  if (state === "open") {
    if (block?.task === "done") return "its box is ticked";
    const completed = said("stands under", label.get("completion"));
    if (completed) return completed;
    const lead = added.get("completion");
    if (lead && isAlone(lead, summary)) return `done by "${lead.key}"`;
    const verb = doneAs(place);
    if (verb !== undefined) return `done by "${verb}"`;
  }
  const opened = openedTo(place);
  if (opened !== undefined) return `open to "${opened}"`;
  return match.order < 1 ? undefined : opposed(place);
}

/** Does a word deny something else, in a clause next to the fact's: "…, but not those of guests"? */
export function isElsewhere(mark: Marked, { fact, summary: { terms }, clauses }: Place): boolean {
  if (clauses.has(terms[mark.from]?.clause)) return false;
  const { high } = clauseAround(terms, mark);
  return terms.slice(mark.to, high).some(({ weight, vague, key }) => weight === "content" && !vague && !fact.content.has(key));
}

/** A doubt because of a label that may be about something else, or that denies what a fact without a denial says. */
export function doubtBy({ fact, attitude }: Place, { stands, label, added }: Tone): string | undefined {
  const { denied, refusing, state, settled } = attitude;
  const withdrawal = denied ? undefined : (added.get("withdrawal") ?? label.get("withdrawal"));
  if (withdrawal) return `taken back by "${withdrawal.key}"`;
  if (settled && stands?.standing === "unsettled") return `still open by "${stands.key}"`;
  if (denied) return undefined;
  const denial = fact.prepared.signs.any ? undefined : (label.get("negation") ?? label.get("denial"));
  const isOther =
    stands && !stands.pure && (stands.standing === "refusal" ? !refusing : stands.standing === "void" || state === "done");
  const doubt = isOther ? stands : refusing || state === "open" ? undefined : denial;
  return doubt && `stands under "${doubt.key}"`;
}

/** "Done: …": a mark that is a clause of its own. */
function isAlone({ from, to }: Marked, { terms }: Indexed): boolean {
  const { clause } = terms[from] as Term;
  return terms[from - 1]?.clause !== clause && terms[to]?.clause !== clause;
}

export function weakening({ fact, summary, match, marks: there, attitude }: Place, tone: Tone): string | undefined {
  const { question, state, denied } = attitude;
  const { added, label, stands } = tone;
  const own = fact.prepared.marks;
  const has = (marks: readonly Marked[], wanted: FoundMark) => marks.find(({ mark }) => mark === wanted);
  const hedge = added.get("hedge") ?? (denied ? undefined : label.get("hedge"));
  const isBoth = (wanted: FoundMark) => has(own, wanted) !== undefined && has(there, wanted) !== undefined;
  // "Allowed to" for "may".
  const isAllowed = there.some(({ mark, from }) => mark === "permission" && from === hedge?.from) && isBoth("permission");
  if (hedge && !question && !isAllowed) return `weakened or limited by "${hedge.key}"`;
  if (!question && !denied && stands?.standing === "doubtful") return `weakened or limited by "${stands.key}"`;
  const asks = (text: { readonly sentences: Indexed["sentences"] }, at: number) => text.sentences[at]?.question === true;
  const asked = asks(summary, (summary.terms[match.to - 1] as Term).sentence);
  if (asked && !question && !asks(fact.prepared, fact.prepared.sentences.length - 1)) return "only asked";
  const completed = state === "open" ? added.get("completion") : undefined;
  if (completed) return `perhaps done by "${completed.key}"`;
  const advice = has(there, "advice");
  if (advice && has(own, "duty") && !has(there, "duty") && !has(own, "advice")) return `only advised by "${advice.key}"`;
  // "Must not" is a limit, not a duty.
  const duty = there.find(
    ({ mark, from: at }) =>
      mark === "duty" && !there.some((one) => (one.mark === "negation" || one.mark === "below") && one.from === at),
  );
  const bounded = isBoth("below");
  if (duty && !bounded && has(own, "permission") && !has(own, "duty") && !has(there, "permission"))
    return `made a duty by "${duty.key}"`;
  // "May be at most 5" permits nothing that "must not exceed 5" forbids. "Nobody but X" limits like "only X".
  const isAt = (wanted: FoundMark, at: number) => own.some(({ mark, from }) => mark === wanted && from === at);
  const isFree = ({ from }: Marked) => (bounded && isAt("permission", from)) || (isBoth("limit") && isAt("limit", from));
  const lost = own.find((mark) => mark.mark === "hedge" && !isFree(mark) && !there.some((one) => isSameMark(mark, one)));
  if (lost && !denied) return `without its "${lost.key}"`;
  return undefined;
}

/** A word of the fact, even a small one, whose opposite is said instead. */
function opposed({ fact, summary, match: { from, to }, marks, lexicon }: Place): string | undefined {
  // A single word of "ruled out" does not count alone.
  const bound = boundWords(fact.prepared.marks);
  const paired = fact.prepared.terms.filter(({ key }, at) => lexicon.opposites(key).length > 0 && !bound.has(at));
  if (paired.length === 0) return undefined;
  const clauses = new Set([summary.terms[from]?.clause, summary.terms[to - 1]?.clause]);
  let [low, high] = [from, to];
  while (clauses.has(summary.terms[low - 1]?.clause)) low--;
  while (high < summary.terms.length && clauses.has(summary.terms[high]?.clause)) high++;
  const held = boundWords(marks);
  const there = new Set(summary.terms.slice(low, high).flatMap(({ key }, index) => (held.has(low + index) ? [] : [key])));
  const own = new Set(fact.prepared.terms.map(({ key }) => key));
  const isOpposed = (key: string) => lexicon.opposites(key).some((other) => there.has(other) && !own.has(other));
  const opposite = paired.find((term) => !there.has(term.key) && isOpposed(term.key));
  return opposite && `the opposite of "${opposite.folded}" is said`;
}

/** Words inside a mark of several words, which has a meaning only as a whole. */
function boundWords(marks: readonly Marked[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { from, to, mark } of marks)
    if (to - from > 1 && mark !== "filler") for (let at = from; at < to; at++) found.add(at);
  return found;
}

/** "Over 25" is not "up to 25", and not "25" either. */
export function otherSide({ fact, summary, match: { hits } }: Place): string | undefined {
  for (const { at, key } of hits) {
    const own = fact.content.get(key);
    if (!own || !/^\d/.test(key)) continue;
    const meant = sideOf(fact.prepared.marks, own.at, fact.prepared.terms);
    if (meant !== sideOf(summary.marksOf[summary.terms[at]?.sentence ?? 0] ?? [], at, summary.terms))
      return `on another side of ${own.term.folded}`;
  }
  return undefined;
}

/** Where a mark can be relative to its number, nearest first. */
const isBeside: readonly ((mark: Marked, at: number, leads: boolean) => boolean)[] = [
  ({ to }, at) => to === at,
  ({ from }, at, leads) => from === at + 1 && !leads,
  ({ from }, at, leads) => from === at + 2 && !leads,
  ({ to }, at) => to === at - 1,
];

function sideOf(marks: readonly Marked[], at: number, terms: readonly Term[]): Marked["mark"] | undefined {
  const sides = marks.filter(({ mark }) => mark === "above" || mark === "below");
  for (const isThere of isBeside) {
    const found = sides.find((mark) => isThere(mark, at, /^\d/.test(terms[mark.to]?.key ?? "")));
    if (found) return found.mark;
  }
  return undefined;
}
