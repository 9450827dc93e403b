// A source as segments, with a word on what was not read as it should be.
import { SOURCE_CHARACTERS } from "../limits.js";
import type { Notice, Segment, Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readOnce } from "./segment-cache.js";

export interface ReadSource {
  readonly segments: readonly Segment[];
  readonly notices: readonly Notice[];
}

export function readSource(source: Source, rules: RuleSet): ReadSource {
  const text = source.text.slice(0, SOURCE_CHARACTERS);
  const { segments, scanned } = readOnce(text, rules.abbreviations);
  const notice = (code: string, message: string, count: number) => ({ code, message, source: source.id, count });
  return {
    segments,
    notices: [
      ...(text.length < source.text.length
        ? [notice("source-cut", `only the first ${SOURCE_CHARACTERS} characters are read`, 1)]
        : []),
      ...(scanned > 0 ? [notice("block-scanned", "blocks that would take the parser down were read line by line", scanned)] : []),
    ],
  };
}
