// Which sentences of a summary may speak of a fact: those that share most of its words.
import { AUDIT_PLACES } from "../limits.js";
import type { Indexed } from "./audit-index.js";

/** Room for counting, one number for each sentence; shares are all zero between two facts. */
export interface Counts {
  readonly shares: Uint16Array;
  /** The first of the fact's keys that a sentence has. */
  readonly orders: Uint16Array;
}

interface Posting {
  /** The place of the key among the fact's. */
  readonly order: number;
  readonly sentences: readonly number[];
}

export function toCounts(sentences: number): Counts {
  return { shares: new Uint16Array(sentences), orders: new Uint16Array(sentences) };
}

/** The sentences that have most of the keys, at least that share of them, best first. */
export function likelySentences(keys: Iterable<string>, { places, counts }: Indexed, atLeast: number): readonly number[] {
  const postings: Posting[] = [];
  let wanted = 0;
  for (const key of keys) {
    const sentences = places.get(key);
    if (sentences) postings.push({ order: wanted, sentences });
    wanted++;
  }
  const least = Math.max(1, Math.ceil(wanted * atLeast));
  // Rare keys first: what has none of them cannot have enough of the others.
  postings.sort((a, b) => a.sentences.length - b.sentences.length);
  const touched: number[] = [];
  for (const [index, posting] of postings.entries()) count(posting, counts, touched, postings.length - index >= least);
  const best: number[] = [];
  for (const sentence of touched) if ((counts.shares[sentence] as number) >= least) insert(best, sentence, counts);
  for (const sentence of touched) counts.shares[sentence] = 0;
  return best;
}

/** Steps that looking a sentence up in a long list costs, at most. */
const LOOKUP_STEPS = 12;

function count({ order, sentences }: Posting, { shares, orders }: Counts, touched: number[], opens: boolean): void {
  const few = !opens && touched.length * LOOKUP_STEPS < sentences.length;
  for (const sentence of few ? touched : sentences) {
    const share = shares[sentence] as number;
    if (share === 0) {
      if (!opens) continue;
      touched.push(sentence);
      orders[sentence] = order;
    } else {
      if (few && !holds(sentences, sentence)) continue;
      if (order < (orders[sentence] as number)) orders[sentence] = order;
    }
    shares[sentence] = share + 1;
  }
}

/** Looks a number up in a rising list. */
function holds(list: readonly number[], wanted: number): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted;
}

function isBetter(one: number, other: number, { shares, orders }: Counts): boolean {
  const more = (shares[one] as number) - (shares[other] as number);
  if (more !== 0) return more > 0;
  const earlier = (orders[one] as number) - (orders[other] as number);
  return earlier !== 0 ? earlier < 0 : one < other;
}

/** Keeps the few best in order. */
function insert(best: number[], sentence: number, counts: Counts): void {
  let at = best.length;
  while (at > 0 && isBetter(sentence, best[at - 1] as number, counts)) at--;
  if (at >= AUDIT_PLACES) return;
  best.splice(at, 0, sentence);
  if (best.length > AUDIT_PLACES) best.pop();
}
