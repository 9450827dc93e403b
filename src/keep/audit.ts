// Does a summary still say what was found? Every fact gets a verdict; what cannot be proven is not certified.

import { atOnce, type Steps } from "../extract/steps.js";
import { AUDIT_CHARACTERS, AUDIT_FACT_WORDS, AUDIT_SHARE } from "../limits.js";
import type { Continuation } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Attitude } from "./audit-against.js";
import { besideOf } from "./audit-beside.js";
import { type AuditFact, factsOf } from "./audit-facts.js";
import { isDeniedAgain, isDeniedAround } from "./audit-framed.js";
import { freeness } from "./audit-free.js";
import { findRuns, type Indexed, indexSummary, isHeading, marksAround, prepare } from "./audit-index.js";
import { type AuditVerdict, type Judged, judge } from "./audit-judge.js";
import { type Lexicon, lexiconOf } from "./audit-lexicon.js";
import { likelySentences } from "./audit-likely.js";
import { inUnitsOf } from "./audit-measures.js";
import { likeness } from "./audit-order.js";
import { type Overlap, overlap, type Profile, toProfile } from "./audit-overlap.js";
import type { Sentence, Term } from "./audit-text.js";
import { labelOf } from "./audit-told.js";
import { blankThoughts } from "./thoughts.js";

export interface FactVerdict {
  readonly id?: string;
  readonly kind: string;
  readonly text: string;
  readonly verdict: AuditVerdict;
  /** The place of the summary that speaks of it, in UTF-16 units. */
  readonly where?: { readonly start: number; readonly end: number };
  readonly why: string;
}

export interface Audit {
  readonly verdicts: readonly FactVerdict[];
}

export interface AuditOptions {
  /** The packs say which words deny, weaken or take back. */
  readonly rules: RuleSet;
  /** Says that time is up. Facts that were not compared by then are unsure. */
  readonly late?: (() => boolean) | undefined;
}

/** How many facts got which verdict. */
export function countVerdicts(verdicts: readonly FactVerdict[]): Readonly<Record<AuditVerdict, number>> {
  const counts = { kept: 0, altered: 0, contradicted: 0, missing: 0, unsure: 0 };
  for (const { verdict } of verdicts) counts[verdict]++;
  return counts;
}

export function audit(what: Continuation | readonly AuditFact[], summary: string, options: AuditOptions): Audit {
  return atOnce(auditInSteps("items" in what ? factsOf(what) : what, summary, options));
}

/** The same, with a pause before each fact. */
export function* auditInSteps(facts: readonly AuditFact[], summary: string, { rules, late }: AuditOptions): Steps<Audit> {
  const lexicon = lexiconOf(rules);
  const indexed = indexSummary(blankThoughts(summary.slice(0, AUDIT_CHARACTERS)), lexicon);
  const verdicts: FactVerdict[] = [];
  for (const fact of facts) {
    yield;
    verdicts.push(late?.() ? unheard(fact) : verdictOf(fact, indexed, lexicon));
  }
  return { verdicts };
}

const unheard = ({ id, kind, text }: AuditFact): FactVerdict => ({
  ...(id !== undefined && { id }),
  kind,
  text,
  verdict: "unsure",
  why: "time was up",
});

function verdictOf(fact: AuditFact, summary: Indexed, lexicon: Lexicon): FactVerdict {
  const { id, kind, text } = fact;
  const found = judgeFact(fact, summary, lexicon);
  const said = { ...(id !== undefined && { id }), kind, text, verdict: found.verdict, why: found.why };
  if (!found.match || found.verdict === "missing" || found.match.to <= found.match.from) return said;
  const { from, to } = found.match;
  const where = { start: (summary.terms[from] as Term).start, end: (summary.terms[to - 1] as Term).end };
  return { ...said, where };
}

type Answer = Pick<Judged, "verdict" | "why"> & Partial<Judged>;

function judgeFact(fact: AuditFact, summary: Indexed, lexicon: Lexicon): Answer {
  const quoted =
    fact.quote === undefined || fact.quote === fact.text ? undefined : judgeText(fact, fact.quote, false, summary, lexicon);
  if (quoted?.verdict === "kept") return quoted;
  const plain = judgeText(fact, fact.text, fact.denied === true, summary, lexicon);
  if (plain.verdict !== "kept") return plain;
  for (const part of fact.parts ?? []) {
    const told = judgeText({ kind: fact.kind, text: part }, part, false, summary, lexicon);
    if (told.verdict !== "kept" && told.verdict !== "unsure") return { ...plain, verdict: "unsure", why: `without "${part}"` };
  }
  return plain;
}

/** What the model's kinds say about work beside their words. */
const STATES: ReadonlyMap<string, "open" | "done"> = new Map([
  ["done", "done"],
  ["remaining", "open"],
]);

const SETTLED: ReadonlySet<string> = new Set(["decision", "constraint", "preference", "rejection"]);

function judgeText(fact: AuditFact, text: string, denied: boolean, summary: Indexed, lexicon: Lexicon): Answer {
  const prepared = inUnitsOf(prepare(text, lexicon), summary.amounts, lexicon.measures);
  const state = fact.state ?? STATES.get(fact.kind);
  const profile = toProfile(prepared, state === "open" ? labelOf(prepared, lexicon) : undefined);
  const { terms, sentences } = prepared;
  if (terms.length === 0) {
    const there = text.trim() !== "" && summary.text.includes(text.trim());
    return there ? { verdict: "kept", why: "said in the same words" } : { verdict: "missing", why: "no place says it" };
  }
  const attitude: Attitude = {
    denied,
    question: fact.kind === "question",
    refusing: fact.kind === "rejection",
    settled: SETTLED.has(fact.kind),
    ...(state && { state }),
  };
  const answers: Judged[] = [];
  const runs = findRuns(prepared, summary);
  const twice = new Set(
    runs.flatMap((from) =>
      isDeniedAgain(profile, summary, { from, to: from + terms.length }) ? [summary.terms[from]?.sentence] : [],
    ),
  );
  const checked = (answer: Judged): Judged => {
    if (answer.verdict !== "kept" || denied) return answer;
    if (isDeniedAround(profile, summary, answer.match))
      return { ...answer, verdict: "contradicted", why: "denied as a whole", whole: true };
    const beside = besideOf(profile, summary, answer.match, lexicon);
    if (beside) return { ...answer, ...beside, whole: true };
    return twice.has(summary.terms[answer.match.from]?.sentence) ? { ...answer, verdict: "unsure", why: "denied again" } : answer;
  };
  for (const at of runs) {
    const match = { ...overlap(profile, summary, at, at + terms.length), from: at, to: at + terms.length };
    const named = judgeName(fact.kind, match, summary);
    if (named) return named;
    answers.push(checked(judge(profile, summary, match, true, attitude, lexicon)));
  }
  if (terms.length <= AUDIT_FACT_WORDS) {
    const more = Math.max(0, sentences.length - 1);
    // Beside a whole proof, only what speaks of the whole fact can count.
    const proven = answers.some((answer) => answer.verdict === "kept" && weight(answer) >= 1);
    for (const sentence of likelySentences(profile.content.keys(), summary, proven && more === 0 ? 1 : AUDIT_SHARE)) {
      // What was proven as a quote is not doubted for where its lines break.
      const quoted = (answer: Judged) => answer.verdict === "kept" && summary.terms[answer.match.from]?.sentence === sentence;
      if (more === 0 && answers.some(quoted)) continue;
      const single = around(profile, summary, sentence, more);
      if (proven && single.coverage < 1) continue;
      answers.push(checked(judge(profile, summary, single, false, attitude, lexicon)));
      if (more === 0 && !proven) answers.push(...judgeBlock(profile, summary, sentence, attitude, lexicon).map(checked));
    }
  }
  return decide(answers) ?? { verdict: "missing", why: "no place says it" };
}

/** Sentences of a block over which a fact may be spread. */
const SPREAD = 2;

/** A fact that is told by a whole item of two sentences. */
function judgeBlock(
  profile: Profile,
  summary: Indexed,
  sentence: number,
  attitude: Attitude,
  lexicon: Lexicon,
): readonly Judged[] {
  const block = summary.blocks.get(summary.sentences[sentence]?.block.start ?? -1) ?? [];
  if (block.length !== SPREAD || attitude.denied) return [];
  const [first, last] = [summary.sentences[block[0] as number] as Sentence, summary.sentences[block[1] as number] as Sentence];
  const match = overlap(profile, summary, first.from, last.to);
  const alike = likeness(profile, summary, match);
  if (freeness(profile, summary, match, alike, attitude, lexicon) !== undefined) return [];
  return [{ verdict: "kept", why: "told freely in two sentences", match, whole: match.coverage >= 1 }];
}

/** A path need only be named; a failing command must be told to fail. */
function judgeName(kind: string, match: Overlap, summary: Indexed): Judged | undefined {
  if (kind === "file") return { verdict: "kept", why: "named", match, whole: true };
  if (kind !== "failure") return undefined;
  const fails = marksAround(summary, match.from, match.to).some(({ mark }) => mark === "failure");
  return fails
    ? { verdict: "kept", why: "told to fail", match, whole: true }
    : { verdict: "unsure", why: "named, but not told to fail", match, whole: true };
}

/** The sentence and as many behind it as the fact has more than one. */
function around(profile: Profile, summary: Indexed, sentence: number, more: number) {
  const { sentences } = summary;
  const first = sentences[sentence] as Sentence;
  let last = first;
  for (let at = sentence + 1; at <= sentence + more && sentences[at] && !isHeading(sentences[at]); at++)
    last = sentences[at] as Sentence;
  return overlap(profile, summary, first.from, last.to);
}

/** A place that says all of a fact and the opposite outweighs a proof; a proof outweighs the rest. */
const RANK: readonly AuditVerdict[] = ["kept", "contradicted", "altered", "unsure", "missing"];
const rank = ({ verdict, whole }: Judged) => (verdict === "contradicted" && whole ? -1 : RANK.indexOf(verdict));

const weight = ({ match }: Judged) => match.coverage * match.density;

function decide(answers: readonly Judged[]): Judged | undefined {
  return [...answers].sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a))[0];
}
