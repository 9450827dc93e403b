// A source as segments, with a word on what was not read as it should be.
import { SOURCE_CHARACTERS } from "../limits.js";
import type { Notice, Segment, Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Reading } from "../source/markdown.js";
import { readOnce } from "./segment-cache.js";

export interface ReadSource extends Reading {
  readonly segments: readonly Segment[];
  readonly notices: readonly Notice[];
}

export type ReadText = (text: string, abbreviations: readonly string[]) => Reading;

export interface ReadSourceOptions {
  readonly late?: () => boolean;
  readonly read?: ReadText;
}

export function readSource(source: Source, rules: RuleSet, { late, read }: ReadSourceOptions = {}): ReadSource {
  const text = source.text.slice(0, SOURCE_CHARACTERS);
  const reading = read ? read(text, rules.abbreviations) : readOnce(text, rules.abbreviations, late);
  const { segments, scanned, unread } = reading;
  return { segments, scanned, unread, notices: noticesOf(source, reading) };
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
