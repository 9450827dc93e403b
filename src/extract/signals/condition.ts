// Checks whether and where a text meets a condition of a pack: phrases, patterns and guards.
import { SEGMENT_MATCHES } from "../../limits.js";
import type { Condition } from "../../rules/condition.js";
import { literalsIn, mayMatch, type PatternMatch } from "../../rules/pattern/pattern.js";
import { firstPhrase, type Match } from "../../rules/phrase/first-phrase.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import { mayHold, type Phrase } from "../../rules/phrase/phrase.js";
import type { Subject } from "../segments/subject.js";

export type Tested =
  | { readonly is: "match"; readonly match: Match }
  | { readonly is: "guarded"; readonly by: string }
  | { readonly is: "no-match" };

/** All matches of the patterns in a text, not only the first. */
export const allMatches = ({ regex }: Condition, { segment }: Subject): readonly Match[] =>
  regex.flatMap((pattern) => {
    const found: Match[] = [];
    for (const match of pattern.matches(segment.text)) if (found.push(fromPattern(match)) >= SEGMENT_MATCHES) break;
    return found;
  });

/** The first phrase that matches decides, even if a guard then prevents it. Without phrases and patterns, all text matches.
 * @param tried those of its phrases that may match, in their order */
export function testCondition(condition: Condition, subject: Subject, tried?: readonly Phrase[]): Tested {
  const match = firstMatch(condition, subject, tried);
  if (!match) return NO_MATCH;
  const guard = condition.unless.find((phrase) => guards(phrase, subject, match));
  return guard ? { is: "guarded", by: guard.source } : { is: "match", match };
}

const NO_MATCH: Tested = { is: "no-match" };

export function occurs(condition: Condition, subject: Subject): boolean {
  const { match, regex, unless } = condition;
  if (match.length > 0 || unless.length > 0) return testCondition(condition, subject).is === "match";
  return regex.length === 0 || regex.some((pattern) => pattern.occurs(subject.segment.text));
}

function firstMatch({ match: phrases, regex }: Condition, subject: Subject, tried?: readonly Phrase[]): Match | undefined {
  const { words, segment } = subject;
  if (phrases.length === 0 && regex.length === 0) return { start: 0, end: segment.text.length, slots: [] };
  const found = firstPhrase(tried ?? phrases, words);
  if (found || regex.length === 0) return found;
  const has = literalsIn(segment.text.toLowerCase());
  for (const pattern of regex) {
    if (!mayMatch(pattern, segment.text, has)) continue;
    for (const one of pattern.matches(segment.text)) return fromPattern(one);
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
const isFact = ({ type, start }: Match["slots"][number], match: Match): boolean =>
  type === "gap" ? start > match.start : type !== "capture";

function fromPattern(found: PatternMatch): Match {
  const slots = Object.entries(found.groups).map(([name, span]) => ({ name, type: "pattern", ...span }));
  return { start: found.start, end: found.end, slots };
}
