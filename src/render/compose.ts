// Which statements a brief should hold, the worthiest first: each is taken for what it says that the ones before
// it did not, per character. Any first n of them are a brief of their own, so a smaller budget only leaves off the end.
import { estimateTokenCount } from "tokenx";
import { STATEMENT_CHARACTERS, STATEMENTS } from "../limits.js";
import type { Statement } from "../model.js";
import { toWords } from "../rules/words.js";

/** A name, a number or a path tells more than a plain word. */
const NAME_WEIGHT = 1.5;
// Found on labelled sessions: how strongly worth, repetition and rarity count against each other.
const SALIENCE_EXPONENT = 1.5;
const WORTH_EXPONENT = 0.7;
const RARITY_EXPONENT = 1.5;
/** Tokens that a statement costs beside its own: its line, its speaker. */
const LINE_TOKENS = 8;

interface Candidate {
  readonly statement: Statement;
  readonly terms: readonly string[];
  readonly cost: number;
  gain: number;
}

export function rankStatements(statements: readonly Statement[], most: number): readonly Statement[] {
  const candidates = [...statements]
    .filter(({ salience }) => salience > 0)
    .sort((a, b) => b.salience - a.salience || a.ordinal - b.ordinal || a.start - b.start)
    .slice(0, STATEMENTS)
    .map((statement): Candidate => {
      const shown = shorten(statement.text);
      return { statement, terms: termsOf(shown), cost: estimateTokenCount(shown) + LINE_TOKENS, gain: Number.POSITIVE_INFINITY };
    })
    .filter(({ terms }) => terms.length > 0);
  const weights = termWeights(candidates);
  const covered = new Set<string>();
  const gainOf = ({ statement, terms, cost }: Candidate) => {
    let fresh = 0;
    for (const term of terms) if (!covered.has(term)) fresh += weights.get(term) ?? 0;
    return (statement.salience ** SALIENCE_EXPONENT * fresh) / cost;
  };

  const ranked: Statement[] = [];
  const left = new Set(candidates);
  while (left.size > 0 && ranked.length < most) {
    // Gains only shrink, so the best known gain that still holds when looked at again is the best.
    let best: Candidate | undefined;
    for (const candidate of left) {
      if (best && candidate.gain <= best.gain) continue;
      candidate.gain = gainOf(candidate);
      if (!best || candidate.gain > best.gain) best = candidate;
    }
    if (!best || best.gain <= 0) break;
    left.delete(best);
    ranked.push(best.statement);
    for (const term of best.terms) covered.add(term);
  }
  // What says nothing new comes last, facts before talk: with room to spare it is shown all the same.
  const taken = new Set(ranked);
  const facts = statements.filter((statement) => statement.kinds.length > 0 && !taken.has(statement));
  const talk = [...left].map(({ statement }) => statement).filter(({ kinds }) => kinds.length === 0);
  return [...ranked, ...facts, ...talk.slice(0, Math.max(0, most - ranked.length))];
}

/** A term that worthy statements keep naming weighs more; a term that is everywhere tells nothing. */
function termWeights(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const worth = new Map<string, number>();
  const count = new Map<string, number>();
  for (const { statement, terms } of candidates) {
    for (const term of terms) {
      worth.set(term, (worth.get(term) ?? 0) + statement.salience);
      count.set(term, (count.get(term) ?? 0) + 1);
    }
  }
  const rarest = Math.log(1 + candidates.length);
  return new Map(
    [...worth].map(([term, sum]) => {
      const rarity = Math.log(1 + candidates.length / (count.get(term) ?? 1)) / rarest;
      return [term, sum ** WORTH_EXPONENT * rarity ** RARITY_EXPONENT * (isName(term) ? NAME_WEIGHT : 1)];
    }),
  );
}

const isName = (term: string) => /[\d_./]/.test(term);

/** Words, and runs of words and marks without a blank: paths, versions, identifiers. */
function termsOf(text: string): readonly string[] {
  const { folded, glued } = toWords(text);
  const terms = new Set<string>();
  let run: string[] = [];
  for (const [index, word] of folded.entries()) {
    if (isWord(word) && (word.length > 2 || /\p{N}/u.test(word))) terms.add(word);
    if (!glued[index]) run = [];
    run.push(word);
    if (glued[index + 1]) continue;
    while (run.length > 0 && !isWord(run.at(-1) as string)) run.pop();
    const first = run.findIndex(isWord);
    if (run.slice(first).some((mark) => JOINTS.includes(mark))) terms.add(run.join(""));
  }
  return [...terms];
}

const JOINTS: readonly string[] = [".", "/", "-", "_"];
const isWord = (word: string) => /[\p{L}\p{N}]/u.test(word);

/** A long statement, cut at the end of a clause where there is one. */
export function shorten(text: string): string {
  if (text.length <= STATEMENT_CHARACTERS) return text;
  const head = text.slice(0, STATEMENT_CHARACTERS);
  const clause = Math.max(...["; ", ", ", ": ", " — ", ") "].map((mark) => head.lastIndexOf(mark) + 1));
  const end = clause > STATEMENT_CHARACTERS / 2 ? clause : head.lastIndexOf(" ");
  const cutAt = end > STATEMENT_CHARACTERS / 2 ? end : STATEMENT_CHARACTERS - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
  return `${text.slice(0, cutAt).replace(/[\s,;:—]+$/, "")} …`;
}
