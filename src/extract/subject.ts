// A segment with what is worked out about it at most once.
import type { Evidence, Segment, Source } from "../model.js";
import { toWords, type Words } from "../rules/words.js";
import type { Around } from "./around.js";

export interface Subject {
  readonly source: Source;
  readonly segment: Segment;
  readonly words: Words;
  readonly wordSet: ReadonlySet<string>;
  /** The session it stands in; texts of files stand in none. */
  readonly around?: Around;
}

interface Worded {
  readonly words: Words;
  readonly wordSet: ReadonlySet<string>;
}

/** Segments live as long as their text is remembered, and their words with them. */
const worded = new WeakMap<Segment, Worded>();

function wordsOf(segment: Segment): Worded {
  const before = worded.get(segment);
  if (before) return before;
  const words = toWords(segment.text);
  const made = { words, wordSet: new Set(words.folded) };
  worded.set(segment, made);
  return made;
}

export function toSubject(source: Source, segment: Segment, around?: Around): Subject {
  const { words, wordSet } = wordsOf(segment);
  return around ? { source, segment, words, wordSet, around } : { source, segment, words, wordSet };
}

/** Where it stands, as the evidence of what a rule finds in it. */
export function evidenceOf({ source, segment }: Subject, rule: string): Evidence {
  const { start, end } = segment;
  return {
    source: source.id,
    start,
    end,
    quote: source.text.slice(start, end),
    rule,
    ...(source.tool !== undefined && { tool: source.tool }),
  };
}
