// Which words of a summary are quoted: whole messages of the user, or a few words inside a sentence.
import type { ReadText, Term } from "./terms.js";

/** A stretch of words, as positions of the first and behind the last. */
export interface Quotation {
  readonly from: number;
  readonly to: number;
}

/** A mark that opens stands before a word, one that closes stands behind one. */
const MARKS = /(?<![\p{L}\p{N}])["“„«](?=\S)|(?<=\S)["”“»](?![\p{L}\p{N}])/gu;

/** The outermost quotation around the words. One that is cut off ends with its block. */
export function quotationAround({ text, terms, sentences }: ReadText, from: number, to: number): Quotation | undefined {
  const [first, last] = [terms[from] as Term, terms[to - 1] as Term];
  const block = sentences[first.sentence]?.block;
  if (!block || sentences[last.sentence]?.block !== block) return undefined;
  const body = text.slice(block.start, block.end);
  let [depth, start] = [0, 0];
  for (const { index } of body.matchAll(MARKS)) {
    const at = block.start + index;
    const opens = /^(?:^|[\s([{*_—–/-])$/u.test(text[at - 1] ?? "") || index === 0;
    if (opens) {
      if (depth === 0) start = at;
      depth++;
    } else if (depth > 0) depth--;
    if (depth > 0 || at <= start) continue;
    if (start < first.start && last.end <= at) return between(terms, from, to, start, at);
  }
  return depth > 0 && start < first.start ? between(terms, from, to, start, block.end) : undefined;
}

function between(terms: readonly Term[], from: number, to: number, start: number, end: number): Quotation {
  let [low, high] = [from, to];
  while (low > 0 && (terms[low - 1] as Term).start > start) low--;
  while (high < terms.length && (terms[high] as Term).end <= end) high++;
  return { from: low, to: high };
}
