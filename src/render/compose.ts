// Which statements a brief should hold, the worthiest first: each is taken for what it says that the ones before
// it did not, per token. Any first n of them are a brief of their own, so a smaller budget only leaves off the end.
import { estimateTokenCount } from "tokenx";
import { type IsPlain, topicOf } from "../extract/topic.js";
import { STATEMENTS } from "../limits.js";
import type { Statement } from "../model.js";
import { remember } from "../rules/remember.js";
import { sameText } from "../rules/words.js";
import { createHeap } from "./heap.js";
import { plain, type Shorten } from "./shorten.js";

// Found on labelled sessions: how strongly rarity, news and length count against the worth of a statement.
const RARITY_EXPONENT = 0.3;
const NEWS_EXPONENT = 0.75;
const COST_EXPONENT = 1.2;
/** A name, a number or a path tells more than a plain word. */
const NAME_WEIGHT = 2.5;
/** What a term is still worth when it is said once more. */
const SAID_AGAIN = 0.2;
/** Fewer terms than this are no statement that one could follow without its surroundings. */
const LEAST_TERMS = 2;

/** A term of some candidates. */
interface Term {
  /** What those that name it are worth together, and how many they are. */
  worth: number;
  count: number;
  isName: boolean;
  /** What it tells, and what it still does after having been said. */
  weight: number;
  news: number;
  said: number;
}

interface Candidate {
  readonly statement: Statement;
  readonly terms: readonly Term[];
  readonly cost: number;
  /** Its place among those that weigh more. */
  readonly place: number;
  gain: number;
}

const isBefore = (a: Candidate, b: Candidate) => a.gain > b.gain || (a.gain === b.gain && a.place < b.place);

export interface Ranking {
  /** There is no point in ranking more than this. */
  readonly most: number;
  readonly isPlain: IsPlain;
  readonly shorten: Shorten;
}

export function rankStatements(statements: readonly Statement[], { most, isPlain, shorten }: Ranking): readonly Statement[] {
  const once = withoutEchoes(statements);
  const candidates = toCandidates(once.slice(0, STATEMENTS), isPlain, costsBy(shorten));
  const gainOf = ({ statement, terms, cost }: Candidate) => {
    let news = 0;
    for (const term of terms) news += term.news;
    return (statement.salience * news ** NEWS_EXPONENT) / cost;
  };

  const ranked: Statement[] = [];
  const left = createHeap(candidates, isBefore);
  for (let best = left.top(); best && ranked.length < most; best = left.top()) {
    // Gains only shrink, so the best known gain that still holds when looked at again is the best.
    best.gain = gainOf(best);
    left.sink();
    if (left.top() !== best) continue;
    if (best.gain <= 0) break;
    left.take();
    // It tells what the session is about, and nothing else.
    if (best.statement.fills) continue;
    ranked.push(best.statement);
    for (const term of best.terms) term.news = term.weight * SAID_AGAIN ** ++term.said;
  }
  // What says next to nothing comes last, facts before talk: with room to spare it is shown all the same.
  const taken = new Set(ranked);
  const rest = once.filter((statement) => !taken.has(statement) && !statement.fills);
  const facts = rest.filter(({ kinds }) => kinds.length > 0);
  const talk = rest.filter(({ kinds }) => kinds.length === 0);
  return [...ranked, ...facts, ...talk.slice(0, Math.max(0, most - ranked.length))];
}

interface Cost {
  readonly shown: string;
  readonly cost: number;
}
type CostOf = (text: string) => Cost;

const costs = new WeakMap<Shorten, CostOf>();

function costsBy(shorten: Shorten): CostOf {
  const costOf =
    costs.get(shorten) ??
    remember((text: string) => {
      const shown = plain(shorten(text));
      return { shown, cost: estimateTokenCount(shown) ** COST_EXPONENT };
    });
  costs.set(shorten, costOf);
  return costOf;
}

/** The heaviest first; what was said several times in the same words counts once, where it weighed most, or last. */
function withoutEchoes(statements: readonly Statement[]): readonly Statement[] {
  const worthy = statements.filter(({ salience }) => salience > 0);
  const heaviest = worthy.sort((a, b) => b.salience - a.salience || b.ordinal - a.ordinal || a.start - b.start);
  const seen = new Set<string>();
  return heaviest.filter(({ text }) => {
    const key = sameText(text);
    return !seen.has(key) && seen.add(key);
  });
}

/** A term that worthy statements keep naming weighs more; a term that is everywhere tells nothing. */
function toCandidates(statements: readonly Statement[], isPlain: IsPlain, costOf: CostOf): readonly Candidate[] {
  const known = new Map<string, Term>();
  const candidates: Candidate[] = [];
  for (const [place, statement] of statements.entries()) {
    const { shown, cost } = costOf(statement.text);
    const topic = topicOf(shown, isPlain);
    if (topic.terms.length < LEAST_TERMS) continue;
    const terms = topic.terms.map((name) => {
      let term = known.get(name);
      if (!term) {
        term = { worth: 0, count: 0, isName: false, weight: 0, news: 0, said: 0 };
        known.set(name, term);
      }
      term.worth += statement.salience;
      term.count++;
      return term;
    });
    for (const name of topic.names) (known.get(name) as Term).isName = true;
    candidates.push({ statement, terms, cost, place, gain: Number.POSITIVE_INFINITY });
  }
  const rarest = Math.log(1 + candidates.length);
  for (const term of known.values()) {
    const rarity = Math.log(1 + candidates.length / term.count) / rarest;
    term.weight = term.news = term.worth * rarity ** RARITY_EXPONENT * (term.isName ? NAME_WEIGHT : 1);
  }
  return candidates;
}
