// A summary, indexed once: where its words stand, and where a run of words stands as a whole.
import { AUDIT_PLACES, PATH_FOLDERS } from "../limits.js";
import type { Lexicon } from "./audit-lexicon.js";
import { type Counts, toCounts } from "./audit-likely.js";
import { type Amount, toAmounts } from "./audit-measures.js";
import { toParts } from "./audit-parts.js";
import { type Signs, toSigns } from "./audit-signs.js";
import { type Marked, type ReadText, readText, type Sentence, type Sequence, type Term } from "./audit-text.js";
import { toVoice, type Voice } from "./audit-voice.js";

export interface Prepared extends ReadText, Voice {
  readonly signs: Signs;
  /** Where a place stands. */
  readonly placed: ReadonlySet<number>;
  /** The part of a clause that each term stands in. */
  readonly parts: Uint32Array;
}

export interface Indexed extends Prepared {
  /** Sentences that hold a key. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Sentences of a block, by its beginning. */
  readonly blocks: ReadonlyMap<number, readonly number[]>;
  /** Marks of a sentence. */
  readonly marksOf: readonly (readonly Marked[])[];
  /** Marks that point at what stands above them. */
  readonly backward: readonly Marked[];
  readonly sequencesOf: ReadonlyMap<number, readonly Sequence[]>;
  /** Where each word stands. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Other keys of a term, where it has any. */
  readonly otherKeys: ReadonlyMap<number, readonly string[]>;
  /** Amounts of a unit, by what they are in the smallest. */
  readonly amounts: ReadonlyMap<string, readonly Amount[]>;
  readonly counts: Counts;
}

export function prepare(text: string, lexicon: Lexicon): Prepared {
  const read = readText(text, lexicon);
  const placed = new Set(read.marks.flatMap(({ mark, from }) => (mark === "place" ? [from] : [])));
  return { ...read, placed, signs: toSigns(read), ...toVoice(read.terms, read.marks, lexicon), parts: toParts(read) };
}

export function indexSummary(text: string, lexicon: Lexicon): Indexed {
  const prepared = prepare(text, lexicon);
  const places = new Map<string, number[]>();
  const positions = new Map<string, number[]>();
  const otherKeys = new Map<number, readonly string[]>();
  const place = (key: string, sentence: number) => {
    const list = places.get(key);
    if (!list) places.set(key, [sentence]);
    else if (list[list.length - 1] !== sentence) list.push(sentence);
  };
  for (const [at, term] of prepared.terms.entries()) {
    place(term.key, term.sentence);
    const others = otherKeysOf(term);
    if (others.length > 0) otherKeys.set(at, others);
    for (const key of others) place(key, term.sentence);
    append(positions, term.folded, at);
  }
  const blocks = new Map<number, number[]>();
  for (const [index, { block }] of prepared.sentences.entries()) append(blocks, block.start, index);
  const marksOf: Marked[][] = prepared.sentences.map(() => []);
  for (const mark of prepared.marks) marksOf[(prepared.terms[mark.from] as Term).sentence]?.push(mark);
  const sequencesOf = new Map<number, Sequence[]>();
  for (const sequence of prepared.sequences) append(sequencesOf, sequence.sentence, sequence);
  const backward = prepared.marks.filter(({ mark }) => mark === "backward");
  const amounts = toAmounts(prepared.terms, lexicon.measures);
  const counts = toCounts(prepared.sentences.length);
  return { ...prepared, sequencesOf, places, positions, otherKeys, blocks, marksOf, backward, amounts, counts };
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const NONE: readonly string[] = [];

/** A path is also known by its last parts: a fact may have named it shorter. */
function otherKeysOf({ folded, sort }: Term): readonly string[] {
  if (sort !== "name" || !folded.includes("/")) return NONE;
  const parts = folded.split("/");
  const first = Math.max(1, parts.length - PATH_FOLDERS);
  return parts.slice(first).map((_, index) => parts.slice(first + index).join("/"));
}

/** The places where all words of a fact stand in a row, as word positions; looked up by the rarest of them. */
export function findRuns({ terms }: Prepared, summary: Indexed): readonly number[] {
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

export const isHeading = (sentence: Sentence | undefined) => sentence?.block.heading === true;

/** The marks of the sentences that the words from `from` to `to` stand in. */
export function marksAround({ terms, marksOf }: Indexed, from: number, to: number): readonly Marked[] {
  const found: Marked[] = [];
  const last = terms[to - 1]?.sentence ?? -1;
  for (let sentence = terms[from]?.sentence ?? 0; sentence <= last; sentence++) found.push(...(marksOf[sentence] ?? []));
  return found;
}

/** The summary as if it had no marks but those around some words: what looks at all marks looks at few. */
export const markedAround = (summary: Indexed, from: number, to: number): Prepared => ({
  ...summary,
  marks: marksAround(summary, from, to),
});
