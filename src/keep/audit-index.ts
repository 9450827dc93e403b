// A summary, indexed once: where its words stand, and where a run of words stands as a whole.
import { AUDIT_PLACES, AUDIT_SHARE } from "../limits.js";
import type { Lexicon } from "./audit-lexicon.js";
import { type Signs, toSigns } from "./audit-signs.js";
import { type Marked, type ReadText, readText, type Sentence, type Term } from "./audit-text.js";

export interface Prepared extends ReadText {
  readonly signs: Signs;
}

export interface Indexed extends Prepared {
  /** Sentences that hold a key. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Sentences of a block, by its beginning. */
  readonly blocks: ReadonlyMap<number, readonly number[]>;
  /** Marks of a sentence. */
  readonly marksOf: readonly (readonly Marked[])[];
  /** All words with one blank around each, and where each begins in it. */
  readonly line: string;
  readonly offsets: readonly number[];
}

export function prepare(text: string, lexicon: Lexicon): Prepared {
  const read = readText(text, lexicon);
  return { ...read, signs: toSigns(read) };
}

export function indexSummary(text: string, lexicon: Lexicon): Indexed {
  const prepared = prepare(text, lexicon);
  const places = new Map<string, number[]>();
  const offsets: number[] = [];
  let offset = 1;
  for (const term of prepared.terms) {
    for (const key of keysOf(term)) {
      const list = places.get(key);
      if (!list) places.set(key, [term.sentence]);
      else if (list.at(-1) !== term.sentence) list.push(term.sentence);
    }
    offsets.push(offset);
    offset += term.folded.length + 1;
  }
  const blocks = new Map<number, number[]>();
  for (const [index, { block }] of prepared.sentences.entries())
    blocks.set(block.start, [...(blocks.get(block.start) ?? []), index]);
  const marksOf: Marked[][] = prepared.sentences.map(() => []);
  for (const mark of prepared.marks) marksOf[(prepared.terms[mark.from] as Term).sentence]?.push(mark);
  return { ...prepared, places, blocks, marksOf, line: toLine(prepared.terms), offsets };
}

/** A path is also known by its last parts: a fact may have named it shorter. */
export function keysOf({ key, folded, sort }: Term): readonly string[] {
  if (sort !== "name" || !folded.includes("/")) return [key];
  const parts = folded.split("/");
  return [key, ...parts.slice(1).map((_, index) => parts.slice(index + 1).join("/"))];
}

const toLine = (terms: readonly Term[]) => ` ${terms.map(({ folded }) => folded).join(" ")} `;

/** The places where all words of a fact stand in a row, as word positions. */
export function findRuns({ terms }: Prepared, { line, offsets }: Indexed): readonly number[] {
  if (terms.length === 0) return [];
  const wanted = toLine(terms);
  const found: number[] = [];
  for (let at = line.indexOf(wanted); at !== -1 && found.length < AUDIT_PLACES; at = line.indexOf(wanted, at + 1))
    found.push(positionOf(offsets, at + 1));
  return found;
}

function positionOf(offsets: readonly number[], offset: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sentences that share most words with a fact, best first. */
export function likelySentences(keys: Iterable<string>, { places, sentences }: Indexed): readonly number[] {
  const counts = new Uint16Array(sentences.length);
  const touched: number[] = [];
  let wanted = 0;
  for (const key of keys) {
    wanted++;
    for (const sentence of places.get(key) ?? []) {
      if (counts[sentence] === 0) touched.push(sentence);
      counts[sentence] = (counts[sentence] as number) + 1;
    }
  }
  const buckets: number[][] = [];
  for (const sentence of touched) {
    const count = counts[sentence] as number;
    const bucket = buckets[count];
    if (bucket) bucket.push(sentence);
    else buckets[count] = [sentence];
  }
  const best: number[] = [];
  const least = Math.max(1, Math.ceil(wanted * AUDIT_SHARE));
  for (let count = buckets.length - 1; count >= least && best.length < AUDIT_PLACES; count--) {
    for (const sentence of buckets[count] ?? []) if (best.length < AUDIT_PLACES) best.push(sentence);
  }
  return best;
}

export const isHeading = (sentence: Sentence | undefined) => sentence?.block.heading === true;

/** The marks of the sentences that the words from `from` to `to` stand in. */
export function marksAround({ terms, marksOf }: Indexed, from: number, to: number): readonly Marked[] {
  const found: Marked[] = [];
  const last = terms[to - 1]?.sentence ?? -1;
  for (let sentence = terms[from]?.sentence ?? 0; sentence <= last; sentence++) found.push(...(marksOf[sentence] ?? []));
  return found;
}
