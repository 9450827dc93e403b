// Finds the places of a summary that may mention a fact: quotes, and the sentences that share most of its words.
import { countBefore } from "../text/sorted.js";
import type { Counts, Indexed, PreparedText } from "./read/index-summary.js";

/** Most places of a summary that are compared with one fact. */
const AUDIT_PLACES = 8;

/** The word positions where all words of a fact follow each other. Searches by its rarest word. */
export function findQuotes({ terms }: PreparedText, summary: Indexed): readonly number[] {
  let rarest: readonly number[] | undefined;
  let step = 0;
  for (const [at, { folded }] of terms.entries()) {
    const found = summary.positions.get(folded);
    if (!found) return [];
    if (!rarest || found.length < rarest.length) [rarest, step] = [found, at];
  }
  const runs: number[] = [];
  for (const position of rarest ?? []) {
    const from = position - step;
    if (from >= 0 && terms.every(({ folded }, at) => summary.terms[from + at]?.folded === folded)) runs.push(from);
    if (runs.length >= AUDIT_PLACES) break;
  }
  return runs;
}

interface Posting {
  /** The index of the key among the keys of the fact. */
  readonly order: number;
  readonly sentences: readonly number[];
}

/** The best sentences that have at least the share `atLeast` of the keys, best first. */
export function likelySentences(keys: Iterable<string>, { places, counts }: Indexed, atLeast: number): readonly number[] {
  const postings: Posting[] = [];
  let wanted = 0;
  for (const key of keys) {
    const sentences = places.get(key);
    if (sentences) postings.push({ order: wanted, sentences });
    wanted++;
  }
  const least = Math.max(1, Math.ceil(wanted * atLeast));
  // Rare keys first: a sentence without any of them cannot reach the minimum with the rest.
  postings.sort((a, b) => a.sentences.length - b.sentences.length);
  const touched: number[] = [];
  for (const [index, posting] of postings.entries()) count(posting, counts, touched, postings.length - index >= least);
  const best: number[] = [];
  for (const sentence of touched) if ((counts.shares[sentence] as number) >= least) insert(best, sentence, counts);
  for (const sentence of touched) counts.shares[sentence] = 0;
  return best;
}

/** Estimated cost of one binary search in a long list. */
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

const holds = (sorted: readonly number[], wanted: number) => sorted[countBefore(sorted, (one) => one < wanted)] === wanted;

function isBetter(one: number, other: number, { shares, orders }: Counts): boolean {
  const more = (shares[one] as number) - (shares[other] as number);
  if (more !== 0) return more > 0;
  const earlier = (orders[one] as number) - (orders[other] as number);
  return earlier !== 0 ? earlier < 0 : one < other;
}

/** Inserts a sentence in order and keeps only the best AUDIT_PLACES. */
function insert(best: number[], sentence: number, counts: Counts): void {
  let at = best.length;
  while (at > 0 && isBetter(sentence, best[at - 1] as number, counts)) at--;
  if (at >= AUDIT_PLACES) return;
  best.splice(at, 0, sentence);
  if (best.length > AUDIT_PLACES) best.pop();
}
