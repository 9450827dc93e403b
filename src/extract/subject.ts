// A segment with what is worked out about it at most once.
import type { Segment, Source } from "../model.js";
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

export function toSubject(source: Source, segment: Segment, around?: Around): Subject {
  const words = toWords(segment.text);
  return { source, segment, words, wordSet: new Set(words.folded), ...(around && { around }) };
}
