// What a place says against a fact, or says more weakly.
import { type Indexed, marksAround, type Prepared } from "./audit-index.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
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
  { added, flipped, label }: Tone,
  summary: Indexed,
  { from, to, coverage, hits, missing }: Overlap,
  { denied, state }: Attitude,
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

/** "Done: …": a mark with a clause for itself. */
function isAlone({ from, to }: Marked, { terms }: Indexed): boolean {
  const { clause } = terms[from] as Term;
  return terms[from - 1]?.clause !== clause && terms[to]?.clause !== clause;
}

/** A word of the fact, however small, in whose stead its opposite is said. */
function opposed(
  fact: Profile,
  summary: Indexed,
  { from, to, missing }: Pick<Overlap, "from" | "to" | "missing">,
  lexicon: Lexicon,
  same: Same,
) {
  // Words that tell an order were compared by what they order.
  const isOrdering = (weight: string) => same.order && weight === "filler";
  // A word of "ruled out" is no word by itself.
  const bound = boundWords(fact.prepared.marks);
  const paired = fact.prepared.terms.filter(
    ({ key, weight }, at) => lexicon.opposites(key).length > 0 && !isOrdering(weight) && !bound.has(at),
  );
  if (paired.length === 0) return undefined;
  const clauses = new Set([summary.terms[from]?.clause, summary.terms[to - 1]?.clause]);
  let [low, high] = [from, to];
  while (clauses.has(summary.terms[low - 1]?.clause)) low--;
  while (high < summary.terms.length && clauses.has(summary.terms[high]?.clause)) high++;
  const held = boundWords(marksAround(summary, from, to));
  const there = new Set(summary.terms.slice(low, high).flatMap(({ key }, index) => (held.has(low + index) ? [] : [key])));
  const own = new Set(fact.prepared.terms.map(({ key }) => key));
  const isOpposed = (key: string) => lexicon.opposites(key).some((other) => there.has(other) && !own.has(other));
  const joined =
    missing.length === 0 && isDeniedJoining(fact.prepared, 0, fact.prepared.terms.length) && isDeniedJoining(summary, low, high);
  const opposite = paired.find((term) => !there.has(term.key) && isOpposed(term.key) && !(joined && isJoining(term, fact)));
  return opposite && `the opposite of "${opposite.folded}" is said`;
}

/** Words inside a run of several that does something as a whole. */
function boundWords(marks: readonly Marked[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { from, to, mark } of marks)
    if (to - from > 1 && mark !== "filler") for (let at = from; at < to; at++) found.add(at);
  return found;
}

const isJoining = ({ start }: Term, { prepared: { marks, terms } }: Profile) =>
  marks.some(({ mark, from }) => mark === "coordinator" && terms[from]?.start === start);

/** Where both are denied, "neither the one nor the other" is told by "and" as well as by "or". */
function isDeniedJoining({ marks, signs }: Prepared, low: number, high: number): boolean {
  const joins = marks.filter(({ mark, from }) => mark === "coordinator" && from >= low && from < high);
  return joins.length > 0 && joins.every(({ from }) => signs.sure[from] || signs.open[from]);
}

export function weakening(
  fact: Profile,
  summary: Indexed,
  { added, label }: Tone,
  match: Overlap,
  { question, state, denied }: Attitude,
): string | undefined {
  const { from, to } = match;
  const hedge = added.get("hedge") ?? (denied ? undefined : label.get("hedge"));
  if (hedge && !question) return `weakened or limited by "${hedge.key}"`;
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
  return here("permission") && everywhere(marks, "limit") && everywhere(others, "limit");
}

/** "Only the bot may publish" does not say that the bot may only publish. */
function limited({ prepared }: Profile, summary: Indexed, { from, to }: Overlap, there: readonly Marked[]): string | undefined {
  return boundBy("limit", prepared, summary, { from, to }, there) ?? boundBy("exception", prepared, summary, { from, to }, there);
}

function boundBy(
  kind: "limit" | "exception",
  prepared: Prepared,
  summary: Indexed,
  { from, to }: Pick<Overlap, "from" | "to">,
  there: readonly Marked[],
): string | undefined {
  const own = prepared.marks.find(({ mark }) => mark === kind);
  if (!own) return undefined;
  const meant = besideLimit(prepared.terms, own);
  const others = there.filter(({ mark }) => mark === kind);
  if (meant.size === 0 || others.length === 0 || to <= from) return undefined;
  const [nearest = ""] = meant;
  const isSame = (words: ReadonlySet<string>) => words.has(nearest) && meant.has([...words][0] ?? "");
  return others.some((mark) => isSame(besideLimit(summary.terms, mark)))
    ? undefined
    : `its "${own.key}" stands with something else`;
}

/** The run of words behind a limit; before it, when nothing is behind. */
function besideLimit(terms: readonly Term[], { from, to }: Marked): ReadonlySet<string> {
  const { clause } = terms[from] as Term;
  const run = (start: number, step: 1 | -1) => {
    const found = new Set<string>();
    let at = start;
    while (terms[at]?.clause === clause && terms[at]?.weight !== "content") at += step;
    for (; terms[at]?.clause === clause && terms[at]?.weight === "content"; at += step) found.add(terms[at]?.key as string);
    return found;
  };
  const behind = run(to, 1);
  return behind.size > 0 ? behind : run(from - 1, -1);
}
