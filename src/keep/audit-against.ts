// What a place says against a fact, or says more weakly.
import { type Indexed, marksAround } from "./audit-index.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import { limited } from "./audit-limits.js";
import { opposed } from "./audit-opposed.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { isSameMark, listTerms, type Marked, type Term } from "./audit-text.js";
import type { Tone } from "./audit-tone.js";

/** What the kind of a fact says about it beside its words. */
export interface Attitude {
  /** The text names what was turned down, without saying so. */
  readonly denied: boolean;
  readonly state?: "open" | "done";
  /** Doubt belongs to it. */
  readonly question: boolean;
  /** It tells what was turned down, in whatever words. */
  readonly refusing: boolean;
  /** It was agreed: what is still open, it is not. */
  readonly settled: boolean;
}

/** What was found to be the same, though told otherwise. */
export interface Same {
  /** What comes before what. */
  readonly order: boolean;
  /** What is denied. */
  readonly signs: boolean;
}

/** Coverage from which what a fact denies, and a place does not, is the same thing. */
const TOLD = 0.75;
/** Share of the shared words whose denial differs, from which the whole is denied. */
const FLIPPED = 0.33;

export function contradiction(
  fact: Profile,
  { added, flipped, label, stands }: Tone,
  summary: Indexed,
  { from, to, coverage, hits, missing }: Overlap,
  { denied, state, refusing }: Attitude,
  lexicon: Lexicon,
  same: Same,
): string | undefined {
  const said = (name: string, mark: { readonly key: string } | undefined) => (mark ? `${name} "${mark.key}"` : undefined);
  // "Redis was dropped" may tell that it was turned down, or that it was in use.
  if (denied && added.has("withdrawal")) return undefined;
  const weighty = same.signs ? [] : flipped.filter(({ there }) => there || coverage >= TOLD);
  const share = weighty.length / hits.length;
  if (weighty.length > 0 && (coverage >= 1 || share >= FLIPPED || weighty.some(({ term }) => term.sort !== "word")))
    return `denied in one of the two: ${listTerms(weighty.map(({ term }) => term))}`;
  const withdrawn = said("taken back by", added.get("withdrawal"));
  if (withdrawn && !denied) return withdrawn;
  const negated = said("denied by", added.get("negation") ?? added.get("denial"));
  if (negated && !denied && !same.signs && !fact.prepared.signs.any) return negated;
  const labelled = said("stands under", label.get("withdrawal"));
  if (labelled && !denied) return labelled;
  if (stands?.pure && !denied) {
    if (stands.standing === "void" || (stands.standing === "refusal" && !refusing)) return said("does not hold by", stands);
    if (stands.standing === "unsettled" && state === "done") return said("still to do by", stands);
  }
  const block = summary.sentences[(summary.terms[from] as Term).sentence]?.block;
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
  }
  return opposed(fact, summary, { from, to, missing }, lexicon, same);
}

/** A label that says more than that, and may speak of something else. */
export function doubtBy({ stands }: Tone, { denied, refusing, state }: Attitude): string | undefined {
  if (!stands || stands.pure || denied) return undefined;
  if (stands.standing === "refusal" ? refusing : stands.standing !== "void" && state !== "done") return undefined;
  return `stands under "${stands.key}"`;
}

/** "Done: …": a mark with a clause for itself. */
function isAlone({ from, to }: Marked, { terms }: Indexed): boolean {
  const { clause } = terms[from] as Term;
  return terms[from - 1]?.clause !== clause && terms[to]?.clause !== clause;
}

export function weakening(
  fact: Profile,
  summary: Indexed,
  { added, label, stands }: Tone,
  match: Overlap,
  { question, state, denied, settled }: Attitude,
): string | undefined {
  const { from, to } = match;
  const hedge = added.get("hedge") ?? (denied ? undefined : label.get("hedge"));
  if (hedge && !question) return `weakened or limited by "${hedge.key}"`;
  if (!question && !denied && stands?.standing === "doubtful") return `weakened or limited by "${stands.key}"`;
  if (settled && stands?.standing === "unsettled") return `still open by "${stands.key}"`;
  const asks = (text: { readonly sentences: Indexed["sentences"] }, at: number) => text.sentences[at]?.question === true;
  const asked = asks(summary, (summary.terms[to - 1] as Term).sentence);
  if (asked && !question && !asks(fact.prepared, fact.prepared.sentences.length - 1)) return "only asked";
  const completed = state === "open" ? added.get("completion") : undefined;
  if (completed) return `perhaps done by "${completed.key}"`;
  const there = marksAround(summary, from, to);
  const has = (marks: readonly Marked[], wanted: Found) => marks.find(({ mark }) => mark === wanted);
  const advice = has(there, "advice");
  if (advice && has(fact.prepared.marks, "duty") && !has(there, "duty") && !has(fact.prepared.marks, "advice"))
    return `only advised by "${advice.key}"`;
  const own = fact.prepared.marks;
  // "Must not" is no duty but a limit.
  const duty = there.find(
    ({ mark, from: at }) =>
      mark === "duty" && !there.some((one) => (one.mark === "negation" || one.mark === "below") && one.from === at),
  );
  const bounded = has(own, "below") && has(there, "below");
  if (duty && !bounded && has(own, "permission") && !has(own, "duty") && !has(there, "permission"))
    return `made a duty by "${duty.key}"`;
  const lost = own.find(
    (mark) => mark.mark === "hedge" && !isExcused(mark, own, there) && !there.some((one) => isSameMark(mark, one)),
  );
  if (lost && !denied) return `without its "${lost.key}"`;
  return limited(fact, summary, match, there);
}

/** "Only when" holds "if", and "only X may" and "X only" are the same. */
export function isExcused({ from }: Marked, marks: readonly Marked[], others: readonly Marked[]): boolean {
  const here = (wanted: Found) => marks.some((mark) => mark.mark === wanted && mark.from === from);
  const everywhere = (list: readonly Marked[], wanted: Found) => list.some(({ mark }) => mark === wanted);
  if (here("condition")) return everywhere(others, "condition");
  // "May be at most 5" allows nothing that "must not exceed 5" does not.
  if (here("permission") && everywhere(marks, "below") && everywhere(others, "below")) return true;
  // "Just X" and "limited to X" limit as "only X" does; with what they stand is compared.
  if (here("limit") && everywhere(others, "limit")) return true;
  return here("permission") && everywhere(marks, "limit") && everywhere(others, "limit");
}
