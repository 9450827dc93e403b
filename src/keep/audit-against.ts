// What a place says against a fact, or says more weakly.
import { type Indexed, marksAround } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
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
}

/** Coverage from which what a fact denies, and a place does not, is the same thing. */
const TOLD = 0.75;
/** Share of the shared words whose denial differs, from which the whole is denied. */
const FLIPPED = 0.34;

export function contradiction(
  fact: Profile,
  { added, flipped, label }: Tone,
  summary: Indexed,
  { from, to, coverage, hits }: Overlap,
  { denied, state }: Attitude,
  lexicon: Lexicon,
): string | undefined {
  const said = (name: string, mark: { readonly key: string } | undefined) => (mark ? `${name} "${mark.key}"` : undefined);
  // "Redis was dropped" may tell that it was turned down, or that it was in use.
  if (denied && added.has("withdrawal")) return undefined;
  const weighty = flipped.filter(({ there }) => there || coverage >= TOLD);
  const share = weighty.length / hits.length;
  if (weighty.length > 0 && (coverage >= 1 || share >= FLIPPED || weighty.some(({ term }) => term.sort !== "word")))
    return `denied in one of the two: ${listTerms(weighty.map(({ term }) => term))}`;
  const withdrawn = said("taken back by", added.get("withdrawal"));
  if (withdrawn && !denied) return withdrawn;
  const negated = said("denied by", added.get("negation") ?? added.get("denial"));
  if (negated && !denied && !fact.prepared.signs.any) return negated;
  const labelled = said("stands under", label.get("withdrawal"));
  if (labelled && !denied) return labelled;
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
  return opposed(fact, summary, from, to, lexicon);
}

/** "Done: …": a mark with a clause for itself. */
function isAlone({ from, to }: Marked, { terms }: Indexed): boolean {
  const { clause } = terms[from] as Term;
  return terms[from - 1]?.clause !== clause && terms[to]?.clause !== clause;
}

/** A word of the fact, however small, in whose stead its opposite is said. */
function opposed(fact: Profile, summary: Indexed, from: number, to: number, lexicon: Lexicon): string | undefined {
  const paired = fact.prepared.terms.filter(({ key }) => lexicon.opposites(key).length > 0);
  if (paired.length === 0) return undefined;
  const clauses = new Set([summary.terms[from]?.clause, summary.terms[to - 1]?.clause]);
  let [low, high] = [from, to];
  while (clauses.has(summary.terms[low - 1]?.clause)) low--;
  while (high < summary.terms.length && clauses.has(summary.terms[high]?.clause)) high++;
  const there = new Set(summary.terms.slice(low, high).map(({ key }) => key));
  const opposite = paired.find(({ key }) => !there.has(key) && lexicon.opposites(key).some((other) => there.has(other)));
  return opposite && `the opposite of "${opposite.folded}" is said`;
}

export function weakening(
  fact: Profile,
  summary: Indexed,
  { added, label }: Tone,
  { from, to }: Overlap,
  { question, state, denied }: Attitude,
): string | undefined {
  const hedge = added.get("hedge") ?? (denied ? undefined : label.get("hedge"));
  if (hedge && !question) return `weakened or limited by "${hedge.key}"`;
  const asks = (text: { readonly sentences: Indexed["sentences"] }, at: number) => text.sentences[at]?.question === true;
  const asked = asks(summary, (summary.terms[to - 1] as Term).sentence);
  if (asked && !question && !asks(fact.prepared, fact.prepared.sentences.length - 1)) return "only asked";
  const completed = state === "open" ? added.get("completion") : undefined;
  if (completed) return `perhaps done by "${completed.key}"`;
  const there = marksAround(summary, from, to);
  const lost = fact.prepared.marks.find((own) => own.mark === "hedge" && !there.some((mark) => isSameMark(own, mark)));
  return lost && !denied ? `without its "${lost.key}"` : undefined;
}
