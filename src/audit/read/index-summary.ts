// Indexes a summary once, so that every fact can look up words, sentences, blocks and marks.
import { PATH_FOLDERS } from "../../limits.js";
import { groupBy } from "../../text/lists.js";
import type { FoundMark, Lexicon } from "./lexicon.js";
import type { Marked, ReadText, Sentence, Term } from "./terms.js";
import { readText } from "./text.js";

const TAKING_BACK: ReadonlySet<FoundMark> = new Set<FoundMark>(["withdrawal", "negation", "denial", "backward", "replacement"]);

export type Indexed = ReturnType<typeof indexSummary>;

export function indexSummary(text: string, lexicon: Lexicon) {
  const read = readText(text, lexicon);
  /** The sentences that have a key. */
  const places = new Map<string, number[]>();
  const positions = groupBy(read.terms.keys(), (at) => (read.terms[at] as Term).folded);
  /** Additional keys of a term, if it has any. */
  const otherKeys = new Map<number, readonly string[]>();
  const place = (key: string, sentence: number) => {
    const list = places.get(key);
    if (!list) places.set(key, [sentence]);
    else if (list[list.length - 1] !== sentence) list.push(sentence);
  };
  for (const [at, term] of read.terms.entries()) {
    place(term.key, term.sentence);
    const others = otherKeysOf(term);
    if (others.length > 0) otherKeys.set(at, others);
    for (const key of others) place(key, term.sentence);
  }
  /** The sentences of a block, by its start. */
  const blocks = groupBy(read.sentences.keys(), (index) => (read.sentences[index] as Sentence).block.start);
  const marksOf: Marked[][] = read.sentences.map(() => []);
  for (const mark of read.marks) marksOf[(read.terms[mark.from] as Term).sentence]?.push(mark);
  const isLabelled = ({ from, to }: Sentence) => read.terms.slice(from, to).some(({ folded }) => lexicon.labels.has(folded));
  /** Sentences that may withdraw something. */
  const takingBack = [...read.sentences.entries()].flatMap(([at, sentence]) =>
    marksOf[at]?.some(({ mark }) => TAKING_BACK.has(mark)) || isLabelled(sentence) ? [at] : [],
  );
  return { ...read, places, positions, otherKeys, blocks, marksOf, takingBack };
}

const NONE: readonly string[] = [];

/** A path can also be found by its last parts, because a fact may name it shorter. */
function otherKeysOf({ folded, sort }: Term): readonly string[] {
  if (sort !== "name" || !folded.includes("/")) return NONE;
  const parts = folded.split("/");
  const first = Math.max(1, parts.length - PATH_FOLDERS);
  return parts.slice(first).map((_, index) => parts.slice(first + index).join("/"));
}

/** The marks of all sentences that the words from `from` to `to` are in. */
export function marksAround({ terms, marksOf }: Indexed, from: number, to: number): readonly Marked[] {
  const found: Marked[] = [];
  const last = terms[to - 1]?.sentence ?? -1;
  for (let sentence = terms[from]?.sentence ?? 0; sentence <= last; sentence++) found.push(...(marksOf[sentence] ?? []));
  return found;
}

/** Most places of a summary that are compared with one fact. */
const AUDIT_PLACES = 8;

/** The word positions where all words of a fact follow each other. Searches by its rarest word. */
export function findQuotes({ terms }: ReadText, summary: Indexed): readonly number[] {
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

/** Like `findQuotes` for a path, which the summary may name with more folders before it. */
export function findPath(path: ReadText, summary: Indexed): readonly number[] {
  const quotes = findQuotes(path, summary);
  const key = path.terms.length === 1 ? path.terms[0]?.key : undefined;
  if (quotes.length > 0 || key === undefined) return quotes;
  const [sentence] = summary.places.get(key) ?? [];
  const { from, to } = summary.sentences[sentence ?? -1] ?? { from: 0, to: 0 };
  for (let at = from; at < to; at++) if (summary.otherKeys.get(at)?.includes(key)) return [at];
  return [];
}

/** The best sentences that have at least the share `atLeast` of the keys, best first. */
export function likelySentences(keys: ReadonlySet<string>, { places, sentences }: Indexed, atLeast: number): readonly number[] {
  const shares = new Uint16Array(sentences.length);
  for (const key of keys) for (const sentence of places.get(key) ?? []) shares[sentence] = (shares[sentence] as number) + 1;
  const least = Math.max(1, Math.ceil(keys.size * atLeast));
  const shareOf = (sentence: number) => shares[sentence] as number;
  const found = [...sentences.keys()].filter((sentence) => shareOf(sentence) >= least);
  return found.sort((a, b) => shareOf(b) - shareOf(a) || a - b).slice(0, AUDIT_PLACES);
}
