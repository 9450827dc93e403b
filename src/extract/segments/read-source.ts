// Splits a source into segments, with notices on what was not read normally.

import { SOURCE_CHARACTERS } from "../../limits.js";
import type { Notice, Segment, Source } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { type Reading, readMarkdown } from "../../source/markdown/read-markdown.js";
import { rememberFor, rememberWithin } from "../../text/remember.js";
import type { Memo } from "./subject.js";

/** Characters of texts whose segments are cached: a long session, at about twenty bytes per character. */
const CACHED_CHARACTERS = 2_000_000;

export interface ReadSource extends Reading {
  readonly segments: readonly Segment[];
  readonly notices: readonly Notice[];
  /** Of each segment, if they are cached. */
  readonly memos?: readonly Memo[];
}

export type SegmentReader = (text: string, abbreviations: readonly string[]) => Reading;

export type ReadSourceOptions = { readonly late?: () => boolean; readonly read?: SegmentReader };

export function readSource(source: Source, rules: RuleSet, { late, read }: ReadSourceOptions = {}): ReadSource {
  const text = source.text.slice(0, SOURCE_CHARACTERS);
  const reading: Cached = read ? read(text, rules.abbreviations) : readers(rules.abbreviations)(text, late);
  return { ...reading, notices: noticesOf(source, reading) };
}

const NO_NOTICES: readonly Notice[] = [];

export function noticesOf(
  source: Source,
  { scanned, unread = 0 }: { readonly scanned: number; readonly unread?: number },
): readonly Notice[] {
  if (source.text.length <= SOURCE_CHARACTERS && scanned === 0 && unread === 0) return NO_NOTICES;
  const notice = (code: string, message: string, count: number) => ({ code, message, source: source.id, count });
  return [
    ...(source.text.length > SOURCE_CHARACTERS
      ? [notice("source-cut", `only the first ${SOURCE_CHARACTERS} characters are read`, 1)]
      : []),
    ...(scanned > 0 ? [notice("block-scanned", "blocks that would take the parser down were read line by line", scanned)] : []),
    ...(unread > 0 ? [notice("message-cut", "time was up in the middle: the last characters are not read", unread)] : []),
  ];
}

// Cache of texts that were split before: a long-running host compacts the same session again and again.

type Cached = Reading & { readonly memos?: readonly Memo[] };

/** Keyed by the abbreviations, which a rule set keeps for its whole life. */
const readers = rememberFor((abbreviations: readonly string[]) =>
  rememberWithin(
    CACHED_CHARACTERS,
    (text, late?: () => boolean): Cached => {
      const { segments, scanned, unread } = readMarkdown(text, abbreviations, { late });
      return { segments, scanned, unread, memos: segments.map(() => ({ local: undefined })) };
    },
    ({ unread }) => unread === 0,
  ),
);
