// Audits a summary: gives every fact a verdict. A fact counts as kept only if the summary proves it.
// Read the summary → find the places that may mention a fact → compare each → use the verdict of the strongest place.
import { openFailures } from "../extract/calls/failures.js";
import { AUDIT_CHARACTERS } from "../limits.js";
import { type Continuation, type Item, placeKey } from "../model.js";
import { knownFrom, termsOf } from "../render/news.js";
import type { RuleSet } from "../rules/rule-set.js";
import { factId } from "../state/choices.js";
import { atOnce, type Late, type Steps } from "../steps.js";
import { plainWords } from "../text/topic.js";
import { blankThoughts } from "./block.js";
import { type Attitude, type Overlap, overlapOf, toPlace, toProfile } from "./compare/overlap.js";
import { findPath, findQuotes, type Indexed, indexSummary, likelySentences, marksAround } from "./read/index-summary.js";
import { type Lexicon, lexiconOf } from "./read/lexicon.js";
import type { Sentence, Term } from "./read/terms.js";
import { readText } from "./read/text.js";
import { type AuditVerdict, type PlaceVerdict, verdictAt } from "./verdict.js";

/** Skip sentences that share a smaller part of a fact's content words: they can neither prove nor disprove it. */
const AUDIT_SHARE = 0.4;

/** Longest fact, in words, that is compared word by word. Longer facts are only searched for as a quote. */
const AUDIT_FACT_WORDS = 160;

/** A fact to look for in a summary. */
export interface AuditFact {
  readonly id?: string;
  /** A kind of the model, or `file`, `failure` (a command), `todo`. Any other word means a plain statement. */
  readonly kind: string;
  readonly text: string;
  /** The words of the source, if they differ from the text. */
  readonly quote?: string;
  /** What the summary must also say: the reason, the alternative. */
  readonly parts?: readonly string[];
  /** The text names what was rejected. */
  readonly denied?: boolean;
  readonly state?: "open" | "done";
}

/** A fact and its verdict. */
export interface FactVerdict {
  readonly id?: string;
  readonly kind: string;
  readonly text: string;
  readonly verdict: AuditVerdict;
  /** The place in the summary that mentions the fact, in UTF-16 units. */
  readonly where?: { readonly start: number; readonly end: number };
  readonly why: string;
}

/** The result of an audit. */
export type Audit = { readonly verdicts: readonly FactVerdict[] };

/** What an audit needs besides the facts and the summary. */
export interface AuditOptions {
  /** The packs list the words that deny, weaken or withdraw a statement. */
  readonly rules: RuleSet;
  /** Returns true when time is up. Facts that are not compared by then are unsure. */
  readonly late?: Late | undefined;
}

/** From this share of a fact's telling words in one sentence on, the fact may be told there in other words. */
const OTHER_WORDS = 0.2;

export function countVerdicts(verdicts: readonly FactVerdict[]): Readonly<Record<AuditVerdict, number>> {
  const counts = { kept: 0, altered: 0, contradicted: 0, missing: 0, unsure: 0 };
  for (const { verdict } of verdicts) counts[verdict]++;
  return counts;
}

/** Checks for each fact whether the summary still says it. */
export const audit = (what: Continuation | readonly AuditFact[], summary: string, options: AuditOptions): Audit =>
  atOnce(auditInSteps("items" in what ? factsOf(what) : what, summary, options));

/** Like `audit`, with a pause before each fact. */
export function* auditInSteps(facts: readonly AuditFact[], summary: string, { rules, late }: AuditOptions): Steps<Audit> {
  const lexicon = lexiconOf(rules);
  const text = blankThoughts(summary.slice(0, AUDIT_CHARACTERS));
  const indexed = indexSummary(text, lexicon);
  yield;
  const isPlain = plainWords(rules);
  const known = knownFrom(text, isPlain);
  const keysOf = (said: string) =>
    new Set(readText(said, lexicon).terms.flatMap(({ weight, vague, key }) => (weight === "content" && !vague ? [key] : [])));
  const mayBeTold = (said: string) =>
    known.shareOf(termsOf(said, isPlain)) >= OTHER_WORDS || likelySentences(keysOf(said), indexed, OTHER_WORDS).length > 0;
  const verdicts: FactVerdict[] = [];
  for (const fact of facts) {
    yield;
    const found = late?.() ? { verdict: "unsure" as const, why: "time was up" } : judgeFact(fact, indexed, lexicon);
    const isRetold = found.verdict === "missing" && fact.kind !== "file" && mayBeTold(fact.text);
    verdicts.push(toFactVerdict(fact, isRetold ? RETOLD : found, indexed));
  }
  return { verdicts };
}

/** @property isVerbatim a place has all words of the fact, one after the other, and does not deny them itself */
type Judged = Pick<PlaceVerdict, "verdict" | "why"> & Partial<PlaceVerdict> & { readonly isVerbatim?: boolean };

function toFactVerdict({ id, kind, text }: AuditFact, { verdict, why, overlap }: Judged, { terms }: Indexed): FactVerdict {
  const said = { ...(id !== undefined && { id }), kind, text, verdict, why };
  if (!overlap || verdict === "missing" || overlap.to <= overlap.from) return said;
  return { ...said, where: { start: (terms[overlap.from] as Term).start, end: (terms[overlap.to - 1] as Term).end } };
}

const NOWHERE: Judged = { verdict: "missing", why: "no place says it" };

const RETOLD: Judged = { verdict: "unsure", why: "perhaps in other words" };

/** A fact is kept if the summary has its source quote, or its own text and all its parts. */
function judgeFact(fact: AuditFact, summary: Indexed, lexicon: Lexicon): Judged {
  const { text, quote } = fact;
  const quoted = quote === undefined || quote === text ? undefined : judgeText(fact, quote, false, summary, lexicon);
  const plain = judgeText(fact, text, fact.denied === true, summary, lexicon);
  // The text and what its sentence says behind it: "use SQLite" and "instead of Redis".
  const behind = quote?.slice(Math.max(0, quote.indexOf(text))) ?? text;
  const rest = behind === text || behind === quote ? undefined : judgeText(fact, behind, false, summary, lexicon);
  if (rest?.verdict === "kept") return rest;
  // A quoted "TODO: …" proves nothing if another place says that it is done.
  if (quoted?.verdict === "kept" && !(stateOf(fact) && plain.verdict === "contradicted")) return quoted;
  // The text is a part of its quote: where the whole quote is, a part does not contradict it.
  if (quoted?.exact && plain.verdict === "contradicted" && isInside(plain.overlap, quoted.overlap)) return quoted;
  if (quoted?.isVerbatim && isOther(plain)) return saidBoth(plain);
  if (plain.verdict !== "kept") return plain;
  for (const part of fact.parts ?? []) {
    const { verdict } = judgeText({ kind: fact.kind, text: part }, part, false, summary, lexicon);
    if (verdict !== "kept" && verdict !== "unsure") return { ...plain, verdict: "unsure", why: `without "${part}"` };
  }
  return plain;
}

const isOther = ({ verdict }: Judged) => verdict === "contradicted" || verdict === "altered";

/** One place has the words of the fact, and another says something else: nobody knows which holds. */
const saidBoth = (found: Judged): Judged => ({
  ...found,
  verdict: "unsure",
  why: `said in the same words, elsewhere ${found.why}`,
});

const isInside = (inner: Overlap | undefined, outer: Overlap | undefined) =>
  inner !== undefined && outer !== undefined && outer.from <= inner.from && inner.to <= outer.to;

/** Some kinds say whether work is open or done. */
const stateOf = ({ kind, state }: AuditFact): AuditFact["state"] =>
  state ?? (kind === "done" ? "done" : kind === "remaining" ? "open" : undefined);

const SETTLED: ReadonlySet<string> = new Set(["decision", "constraint", "preference", "rejection"]);

function judgeText(fact: AuditFact, text: string, denied: boolean, summary: Indexed, lexicon: Lexicon): Judged {
  const prepared = readText(text, lexicon);
  const { terms } = prepared;
  if (terms.length === 0) {
    const isThere = text.trim() !== "" && summary.text.includes(text.trim());
    return isThere ? { verdict: "kept", why: "said in the same words" } : NOWHERE;
  }
  const state = stateOf(fact);
  const profile = toProfile(prepared);
  const attitude: Attitude = {
    denied,
    question: fact.kind === "question",
    refusing: fact.kind === "rejection",
    settled: SETTLED.has(fact.kind),
    ...(state && { state }),
  };
  const given = { fact: profile, attitude, summary, lexicon };
  const answers: PlaceVerdict[] = [];
  for (const from of fact.kind === "file" ? findPath(prepared, summary) : findQuotes(prepared, summary)) {
    const to = from + terms.length;
    const overlap = { ...overlapOf(profile, summary, from, to), from, to };
    const named = judgeName(fact.kind, overlap, summary);
    if (named) return named;
    answers.push({ ...verdictAt(toPlace({ ...given, overlap, exact: true })), exact: true });
  }
  if (terms.length > AUDIT_FACT_WORDS) return strongest(answers) ?? NOWHERE;
  const keys = new Set(profile.content.keys());
  for (const sentence of likelySentences(keys, summary, AUDIT_SHARE)) {
    // A quote is not compared again as a sentence: its line breaks could raise false doubts.
    if (answers.some(({ exact, overlap }) => exact && summary.terms[overlap.from]?.sentence === sentence)) continue;
    const { from, to } = summary.sentences[sentence] as Sentence;
    const overlap = overlapOf(profile, summary, from, to);
    answers.push(verdictAt(toPlace({ ...given, overlap, exact: false })));
  }
  const found = strongest(answers) ?? NOWHERE;
  const isVerbatim = answers.some((one) => one.exact && !isOther(one));
  return isVerbatim ? { ...(isOther(found) ? saidBoth(found) : found), isVerbatim } : found;
}

/** A file only has to be named; a failing command must also be said to fail. */
function judgeName(kind: string, overlap: Overlap, summary: Indexed): PlaceVerdict | undefined {
  if (kind === "file") return { verdict: "kept", why: "named", overlap };
  if (kind !== "failure") return undefined;
  const marks = new Set(marksAround(summary, overlap.from, overlap.to).map(({ mark }) => mark));
  if (marks.has("failure")) return { verdict: "kept", why: "said to fail", overlap };
  return marks.has("success") && !marks.has("negation")
    ? { verdict: "contradicted", why: "said to pass", overlap }
    : { verdict: "unsure", why: "named, but not said to fail", overlap };
}

/** What says that the fact does not hold outranks a quote; a quote outranks everything else. */
const RANK: readonly AuditVerdict[] = ["contradicted", "kept", "altered", "unsure", "missing"];
const rank = ({ verdict, isAgainst }: PlaceVerdict) => RANK.indexOf(verdict) - (isAgainst ? RANK.length : 0);
const weight = ({ overlap }: PlaceVerdict) => overlap.coverage * overlap.density;

const strongest = (answers: readonly PlaceVerdict[]): PlaceVerdict | undefined =>
  [...answers].sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a))[0];

/** The facts to audit: what still holds and what is still to do. A sentence is one fact, whatever its kinds; its other facts are
 * parts of the first. */
export function factsOf({ items, files, errors, todos }: Continuation): readonly AuditFact[] {
  const places = new Set<string>();
  const isFirst = ({ evidence }: Item) => {
    const place = placeKey(evidence);
    return !places.has(place) && places.add(place) !== undefined;
  };
  const paths = new Set([...files.created, ...files.modified, ...files.deleted, ...files.read]);
  for (const path of files.aside ?? []) paths.delete(path);
  return [
    ...items
      .filter(({ status }) => status === "active")
      .filter(isFirst)
      .map(ofItem),
    ...[...paths].map((text) => ({ kind: "file", text })),
    ...[...new Set(openFailures(errors).map(({ command }) => command))].map((text) => ({ kind: "failure", text })),
    ...todos.flatMap(({ text, state }) => (state === "done" ? [] : [{ kind: "todo", text, state: "open" as const }])),
  ];
}

function ofItem(item: Item): AuditFact {
  const { kind, text, fields, evidence } = item;
  const parts = [fields.reason, fields.instead].filter((part) => part !== undefined && part !== "") as string[];
  return {
    id: factId(item),
    kind,
    text,
    quote: evidence.quote,
    ...(parts.length > 0 && { parts }),
    ...(kind === "rejection" && { denied: true }),
  };
}
