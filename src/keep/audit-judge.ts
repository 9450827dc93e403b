// One fact and one place of the summary → a verdict. Only what is proven is "kept".
import type { Indexed } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
import { isMoved, likeness } from "./audit-order.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Term } from "./audit-text.js";
import { type Tone, toneOf } from "./audit-tone.js";

export type AuditVerdict = "kept" | "altered" | "contradicted" | "missing" | "unsure";

export interface Judged {
  readonly verdict: AuditVerdict;
  readonly why: string;
  readonly match: Overlap;
}

/** What the kind of a fact says about it beside its words. */
export interface Attitude {
  /** The text names what was turned down, without saying so. */
  readonly denied: boolean;
  readonly state?: "open" | "done";
  /** Doubt belongs to it. */
  readonly question: boolean;
}

/** Coverage times density under which a place says nothing about a fact: words of it stand in any text on the matter. */
const TRACE = 0.58;
/** Share of all words, in their order, from which a place is the fact's own sentence however much is exchanged. */
const LIKE = 0.6;
/** From here on, a word that is not the fact's has taken the place of one that is. */
const SAME_SENTENCE = 0.75;
/** Coverage from which a place speaks about the fact, so that what is denied there counts. */
const ABOUT = 0.5;
/** Coverage from which what a fact denies, and a place does not, is the same thing. */
const TOLD = 0.75;
/** Share of the shared words whose denial differs, from which the whole is denied. */
const FLIPPED = 0.34;
/** Of the content words around, the share that must be the fact's. */
const DENSITY = 0.6;
/** Fewer content words than this prove nothing without the light ones. */
const FEW_WORDS = 3;
/** Coverage, density and order from which a place is the fact's own sentence with something exchanged. */
const OWN_SENTENCE = 0.6;
const OWN_ORDER = 0.9;

export function judge(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  exact: boolean,
  attitude: Attitude,
  lexicon: Lexicon,
): Judged {
  const as = (verdict: AuditVerdict, why: string): Judged => ({ verdict, why, match });
  const { coverage, density, order, missing } = match;
  const alike = exact ? 1 : likeness(fact, summary, match);
  const like = alike >= LIKE;
  if (!like && isTopic(fact, match)) return as("missing", "no place says it");
  const tone = toneOf(fact, summary, match, attitude.denied);
  const against = coverage >= ABOUT || exact ? contradiction(fact, tone, summary, match, attitude, lexicon) : undefined;
  if (against !== undefined) return as("contradicted", against);
  const weaker = weakening(fact, summary, tone, match, attitude);
  if (weaker !== undefined) return as("altered", weaker);
  const exchanged = missing.filter(({ sort }) => sort !== "word");
  if (exchanged.length > 0) return as("altered", `not there: ${list(exchanged)}`);
  if (tone.flipped.length > 0) return as("unsure", `denied in one of the two: ${list(tone.flipped.map(({ term }) => term))}`);
  if (missing.length > 0) {
    const near = order >= OWN_ORDER && coverage >= OWN_SENTENCE && density >= OWN_SENTENCE;
    if (near || !isRetold(fact, match)) return as(near ? "altered" : "unsure", `not there: ${list(missing)}`);
  }
  if (like && !exact && order < 1 && !isMoved(fact, summary, match)) return as("altered", "two of its words have changed places");
  const doubt = exact ? undefined : unproven(fact, summary, match, alike);
  if (doubt !== undefined) return as("unsure", doubt);
  return as("kept", exact ? "said in the same words" : "all its words, in the same sense");
}

/** Some of a fact's words, and no more: a text on the same matter. */
const isTopic = ({ content }: Profile, { coverage, density }: Overlap) =>
  coverage * density < TRACE || density < DENSITY || (coverage < 1 && content.size <= FEW_WORDS);

const list = (terms: readonly Term[]) => terms.map(({ folded }) => folded).join(", ");

function contradiction(
  fact: Profile,
  { added, flipped, label }: Tone,
  summary: Indexed,
  { from, to, coverage, hits }: Overlap,
  { denied, state }: Attitude,
  lexicon: Lexicon,
): string | undefined {
  const said = (name: string, mark: { readonly key: string } | undefined) => (mark ? `${name} "${mark.key}"` : undefined);
  const weighty = flipped.filter(({ there }) => there || coverage >= TOLD);
  const share = weighty.length / hits.length;
  if (weighty.length > 0 && (coverage >= 1 || share >= FLIPPED || weighty.some(({ term }) => term.sort !== "word")))
    return `denied in one of the two: ${list(weighty.map(({ term }) => term))}`;
  const withdrawn = said("taken back by", added.get("withdrawal"));
  if (withdrawn && !denied) return withdrawn;
  const negated = said("denied by", added.get("negation") ?? added.get("denial"));
  if (negated && !denied && fact.prepared.signs.clauses.size === 0) return negated;
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
  }
  return opposed(fact, summary, from, to, lexicon);
}

/** A word of the fact, however small, in whose stead its opposite is said. */
function opposed(fact: Profile, summary: Indexed, from: number, to: number, lexicon: Lexicon): string | undefined {
  const clauses = new Set([summary.terms[from]?.clause, summary.terms[to - 1]?.clause]);
  let [low, high] = [from, to];
  while (clauses.has(summary.terms[low - 1]?.clause)) low--;
  while (high < summary.terms.length && clauses.has(summary.terms[high]?.clause)) high++;
  const there = new Set(summary.terms.slice(low, high).map(({ key }) => key));
  const lost = fact.prepared.terms.filter(({ key }) => !there.has(key));
  const opposite = lost.find(({ key }) => lexicon.opposites(key).some((other) => there.has(other)));
  return opposite && `the opposite of "${opposite.folded}" is said`;
}

function weakening(
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
  const lost = fact.prepared.marks.find(
    ({ mark, key }) =>
      mark === "hedge" && !summary.marks.some((other) => other.key === key && other.from >= from - 3 && other.from < to + 3),
  );
  return lost && !denied ? `without its "${lost.key}"` : undefined;
}

/** Names and numbers that must be there for one plain word to be said otherwise. */
const RETOLD_NAMES = 2;
const RETOLD_WORDS = 5;
const RETOLD_ORDER = 0.8;

/** A sentence of its own that has every name and number, and all words but one: nothing stands in that word's place. */
function isRetold({ content }: Profile, { missing, order, density }: Overlap): boolean {
  const names = [...content.values()].filter(({ term }) => term.sort !== "word").length;
  const enough = names >= RETOLD_NAMES && content.size >= RETOLD_WORDS && missing.length === 1;
  return enough && order < RETOLD_ORDER && density >= DENSITY;
}

/** Why words that are all there may still not say the same. */
function unproven(fact: Profile, summary: Indexed, match: Overlap, alike: number): string | undefined {
  if (match.fewer && match.missing.length === 0) return "a word of it is there less often";
  if (fact.content.size < FEW_WORDS && match.missingLight) return "too few words to tell";
  if (match.density < DENSITY) return "its words stand among others";
  if (alike >= SAME_SENTENCE && match.missingLight && match.density < 1) return "another word stands in the place of one";
  if (match.order >= 1) return undefined;
  if (fact.content.size < FEW_WORDS) return "its few words stand in another order";
  if (!isMoved(fact, summary, match)) return "its words have changed places";
  return sameParts(fact, summary, match) ? undefined : "its words have changed places";
}

/** Where both say "from", both say it of the same. */
function sameParts(fact: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  const bound = (text: Pick<Indexed, "terms" | "marks">, low: number, high: number) => {
    const found = new Map<string, Set<string>>();
    for (const { mark, key, from: at, to: next } of text.marks) {
      if ((mark !== "relation" && mark !== "negation") || at < low || at >= high) continue;
      let index = next;
      while (text.terms[index]?.weight === "filler") index++;
      const word = text.terms[index]?.key;
      if (word === undefined || !fact.content.has(word)) continue;
      found.set(key, (found.get(key) ?? new Set()).add(word));
    }
    return found;
  };
  const there = bound(summary, from, to);
  const own = bound(fact.prepared, 0, fact.prepared.terms.length);
  return [...there].every(([key, words]) => {
    const meant = own.get(key);
    return meant === undefined || [...words].every((word) => meant.has(word));
  });
}
