// A segment with what is worked out about it at most once.
import { MEMO_CHARACTERS } from "../limits.js";
import type { Evidence, Segment, Source } from "../model.js";
import { toWords, type Words } from "../rules/words.js";
import type { Around } from "./around.js";
import type { Local } from "./local.js";

export interface Subject {
  readonly source: Source;
  readonly segment: Segment;
  readonly words: Words;
  /** The session it stands in; texts of files stand in none. */
  readonly around?: Around | undefined;
  readonly memo: Memo;
  /** Of a text that an earlier reading tells of: what is asked of it afterwards. */
  readonly known?: KnownText | undefined;
}

export interface KnownText {
  /** The signals that hold, of those that are asked for. */
  readonly held: ReadonlySet<string>;
  /** What it is about. */
  readonly terms: () => readonly string[];
}

/** What is known of a segment. Segments live as long as their text is remembered; this is forgotten sooner. */
interface Memo {
  words?: Words | undefined;
  wordSet?: ReadonlySet<string> | undefined;
  local?: { readonly of: unknown; readonly place: string; readonly local: Local } | undefined;
}

const memos = new WeakMap<Segment, Memo>();

export function toSubject(source: Source, segment: Segment, around?: Around): Subject {
  let memo = memos.get(segment);
  if (!memo) {
    memo = {};
    memos.set(segment, memo);
  }
  return new SegmentSubject(source, segment, memo, around, undefined);
}

/** Of a segment that nobody else has. */
export const toKnownSubject = (source: Source, segment: Segment, known: KnownText, around?: Around): Subject =>
  new SegmentSubject(source, segment, {}, around, known);

/** There are as many as sentences, and most are never asked for their words again. */
class SegmentSubject implements Subject {
  constructor(
    readonly source: Source,
    readonly segment: Segment,
    readonly memo: Memo,
    readonly around: Around | undefined,
    readonly known: KnownText | undefined,
  ) {}

  get words(): Words {
    return this.memo.words ?? workOut(this.memo, this.segment.text);
  }
}

let recent: { readonly memo: Memo; readonly length: number }[] = [];
let oldest = 0;
let characters = 0;
let forgotten = 0;

/** What was worked out first is forgotten first. */
function workOut(memo: Memo, text: string): Words {
  const words = toWords(text);
  memo.words = words;
  recent.push({ memo, length: text.length });
  characters += text.length;
  while (characters > MEMO_CHARACTERS && oldest < recent.length - 1) {
    const { memo: old, length } = recent[oldest++] as (typeof recent)[number];
    old.words = old.wordSet = old.local = undefined;
    characters -= length;
  }
  if (oldest > recent.length / 2) {
    recent = recent.slice(oldest);
    oldest = 0;
  }
  return words;
}

/** Lets go of what is large and quickly made again: a session has many texts, and most are passed for good. */
export function forgetWords(subjects: readonly Subject[]): void {
  for (const { memo } of subjects) {
    if (memo.words) forgotten++;
    memo.words = memo.wordSet = undefined;
  }
  if (forgotten <= recent.length / 2) return;
  recent = recent.slice(oldest).filter(({ memo }) => memo.words !== undefined);
  characters = recent.reduce((sum, { length }) => sum + length, 0);
  oldest = forgotten = 0;
}

/** Lets go of all that is known of texts. */
export function forget(subjects: readonly Subject[]): void {
  for (const { memo } of subjects) memo.local = undefined;
  forgetWords(subjects);
}

export function wordSetOf({ memo, words }: Subject): ReadonlySet<string> {
  memo.wordSet ??= new Set(words.folded);
  return memo.wordSet;
}

/** Where it stands, as the evidence of what a rule finds in it. */
export const evidenceOf = ({ source, segment }: Subject, rule: string): Evidence =>
  evidenceAt(source, segment.start, segment.end, rule);

export function evidenceAt(source: Source, start: number, end: number, rule: string): Evidence {
  return {
    source: source.id,
    start,
    end,
    quote: source.text.slice(start, end),
    rule,
    ...(source.tool !== undefined && { tool: source.tool }),
  };
}
