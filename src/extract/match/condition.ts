// Checks whether and where a text meets a condition of a pack: phrases, patterns and guards.
import { SEGMENT_MATCHES } from "../../limits.js";
import type { Condition } from "../../rules/condition.js";
import { literalsIn, mayMatch, type PatternMatch } from "../../rules/pattern/pattern.js";
import { matchPhrase, type PhraseMatch } from "../../rules/phrase/match-phrase.js";
import { mayHold, type Phrase } from "../../rules/phrase/phrase.js";
import type { Words } from "../../text/words.js";
import type { Subject } from "./subject.js";

/** The characters of the visible text that a match and its slots cover. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly slots: readonly { readonly name: string; readonly type: string; readonly start: number; readonly end: number }[];
}

export type Tested =
  | { readonly is: "match"; readonly match: Match }
  | { readonly is: "guarded"; readonly by: string }
  | { readonly is: "no-match" };

/** All matches of the patterns in a text, not only the first. */
export function allMatches({ regex }: Condition, { segment }: Subject): readonly Match[] {
  return regex.flatMap((pattern) => {
    const found: Match[] = [];
    for (const match of pattern.matches(segment.text)) if (found.push(fromPattern(match)) >= SEGMENT_MATCHES) break;
    return found;
  });
}

/**
 * The first phrase that matches decides, even if a guard then prevents it. Without phrases and patterns, all text matches.
 * @param tried those of its phrases that may match, in their order
 */
export function testCondition(condition: Condition, subject: Subject, tried?: readonly Phrase[]): Tested {
  const match = firstMatch(condition, subject, tried);
  if (!match) return NO_MATCH;
  const guard = condition.unless.find((phrase) => guards(phrase, subject, match));
  return guard ? { is: "guarded", by: guard.source } : { is: "match", match };
}

const NO_MATCH: Tested = { is: "no-match" };

/** Like `judge`, but says only whether it matches. */
export function occurs(condition: Condition, subject: Subject): boolean {
  const { match, regex, unless } = condition;
  if (match.length > 0 || unless.length > 0) return testCondition(condition, subject).is === "match";
  return regex.length === 0 || regex.some((pattern) => pattern.occurs(subject.segment.text));
}

function firstMatch({ match: phrases, regex }: Condition, subject: Subject, tried?: readonly Phrase[]): Match | undefined {
  const { words, segment } = subject;
  if (phrases.length === 0 && regex.length === 0) return { start: 0, end: segment.text.length, slots: [] };
  for (const phrase of tried ?? phrases) {
    if (!tried && !mayHold(phrase, words)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  if (regex.length === 0) return undefined;
  const has = literalsIn(segment.text.toLowerCase());
  for (const pattern of regex) {
    if (!mayMatch(pattern, segment.text, has)) continue;
    for (const found of pattern.matches(segment.text)) return fromPattern(found);
  }
  return undefined;
}

/** A guard is ignored when it starts inside a captured slot: that is the fact itself, not what is said about it. */
function guards(phrase: Phrase, subject: Subject, match: Match): boolean {
  const { words } = subject;
  if (phrase.anchors.length === 0 || !mayHold(phrase, words)) return false;
  for (let from = 0; ; ) {
    const found = matchPhrase(phrase, words, from);
    if (!found) return false;
    const at = words.start[found.from] ?? 0;
    if (!match.slots.some((slot) => isFact(slot, match) && at >= slot.start && at < slot.end)) return true;
    from = found.from + 1;
  }
}

/** Words that the phrase itself names are not free text, and neither is what `...` skips before them. */
function isFact({ type, start }: Match["slots"][number], match: Match): boolean {
  return type === "gap" ? start > match.start : type !== "capture";
}

/** The match of the first phrase that matches. */
export function firstPhrase(phrases: readonly Phrase[], words: Words): Match | undefined {
  for (const phrase of phrases) {
    if (!mayHold(phrase, words)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  return undefined;
}

function fromPhrase(phrase: Phrase, found: PhraseMatch, words: Words): Match {
  const start = (from: number) => words.start[from] ?? 0;
  const end = (to: number) => words.end[to - 1] ?? 0;
  const slots: Match["slots"][number][] = [];
  for (const [index, span] of found.slots.entries()) {
    const slot = phrase.slots[index];
    if (slot && span && span.to > span.from)
      slots.push({ name: slot.name, type: slot.type, start: start(span.from), end: end(span.to) });
  }
  return { start: start(found.from), end: end(found.to), slots };
}

function fromPattern(found: PatternMatch): Match {
  const slots = Object.entries(found.groups).map(([name, span]) => ({ name, type: "pattern", ...span }));
  return { start: found.start, end: found.end, slots };
}
