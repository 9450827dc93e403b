// Which words of a summary are quoted: whole messages of the user, or a few words inside a sentence.
import { rememberFor } from "../../text/remember.js";
import type { SummaryBlock } from "./split.js";
import type { ReadText, Term } from "./terms.js";

/** A stretch of words, as positions of the first and behind the last. */
export type Quotation = { readonly from: number; readonly to: number };

/** An opening mark comes right before a word, and a closing mark right after one. */
const MARKS = /(?<![\p{L}\p{N}])["“„«](?=\S)|(?<=\S)["”“»](?![\p{L}\p{N}])/gu;

/** Where an outermost quotation opens and closes. */
type Quoted = { readonly start: number; readonly end: number };

/** The outermost quotation around the words. */
export function quotationAround(read: ReadText, from: number, to: number): Quotation | undefined {
  const { terms, sentences } = read;
  const [first, last] = [terms[from] as Term, terms[to - 1] as Term];
  const block = sentences[first.sentence]?.block;
  if (!block || sentences[last.sentence]?.block !== block) return undefined;
  const around = quotedIn(read)
    .get(block)
    ?.find(({ start, end }) => start < first.start && last.end <= end);
  return around && between(terms, from, to, around.start, around.end);
}

const quotedIn = rememberFor(
  ({ text, sentences }: ReadText) =>
    new Map(Array.from(new Set(sentences.map(({ block }) => block)), (block) => [block, quotationsOf(text, block)])),
);

function quotationsOf(text: string, block: SummaryBlock): readonly Quoted[] {
  const found: Quoted[] = [];
  let [depth, start] = [0, 0];
  for (const { index } of text.slice(block.start, block.end).matchAll(MARKS)) {
    const at = block.start + index;
    const opens = /^(?:^|[\s([{*_—–/-])$/u.test(text[at - 1] ?? "") || index === 0;
    if (opens) {
      if (depth === 0) start = at;
      depth++;
    } else if (depth > 0) depth--;
    if (!opens && depth === 0 && at > start && found.at(-1)?.start !== start) found.push({ start, end: at });
  }
  return found;
}

function between(terms: readonly Term[], from: number, to: number, start: number, end: number): Quotation {
  let [low, high] = [from, to];
  while (low > 0 && (terms[low - 1] as Term).start > start) low--;
  while (high < terms.length && (terms[high] as Term).end <= end) high++;
  return { from: low, to: high };
}
