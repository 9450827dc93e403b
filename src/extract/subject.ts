// A segment with what is worked out about it at most once.
import type { Evidence, Segment, Source } from "../model.js";
import { toWords, type Words } from "../rules/words.js";
import type { Around } from "./around.js";
import type { Local } from "./local.js";

export interface Subject {
  readonly source: Source;
  readonly segment: Segment;
  readonly words: Words;
  /** The session it stands in; texts of files stand in none. */
  readonly around?: Around;
  readonly memo: Memo;
}

/** What is known of a segment. Segments live as long as their text is remembered, and this with them. */
interface Memo {
  readonly words: Words;
  wordSet?: ReadonlySet<string>;
  local?: { readonly of: unknown; readonly place: string; readonly local: Local };
}

const memos = new WeakMap<Segment, Memo>();

export function toSubject(source: Source, segment: Segment, around?: Around): Subject {
  let memo = memos.get(segment);
  if (!memo) {
    memo = { words: toWords(segment.text) };
    memos.set(segment, memo);
  }
  const { words } = memo;
  return around ? { source, segment, words, around, memo } : { source, segment, words, memo };
}

export function wordSetOf({ memo }: Subject): ReadonlySet<string> {
  memo.wordSet ??= new Set(memo.words.folded);
  return memo.wordSet;
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
