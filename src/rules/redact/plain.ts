// What looks like a secret but is plain: a placeholder, the name of a variable, a type.

import { isCalm, literalsIn, mayMatch, type Pattern } from "../pattern/pattern.js";
import type { Span } from "./unveil.js";

/** Characters before and after a possible secret in which plain patterns are searched: the longest setting names. */
const PLAIN_CHARACTERS = 100;

const GROUP = "plain";

/** Does the pattern match what stays visible, instead of what is masked? */
export const isPlain = (pattern: Pattern) => pattern.groups.includes(GROUP);

/** Removes the spans that a plain pattern covers completely. Searches only near the spans, because most texts have none.
 * @param found possible secrets, from left to right */
export function withoutPlain(found: readonly Span[], patterns: readonly Pattern[], text: string): readonly Span[] {
  const plain = patterns.filter(isPlain);
  if (found.length === 0 || plain.length === 0) return found;
  const ends = new Map<number, number>();
  for (const { start, end } of around(found).flatMap((near) => spansIn(text.slice(near.start, near.end), near.start, plain)))
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  // A span that only starts inside a plain match may be a secret: a value in a tag, a password in a command.
  return found.filter(({ start, end }) => end > (ends.get(start) ?? 0));
}

/** The regions around the spans. Overlapping regions are merged, so that no text is searched twice. */
function around(found: readonly Span[]): readonly Span[] {
  const regions: Span[] = [];
  for (const span of found) {
    const [start, end] = [Math.max(0, span.start - PLAIN_CHARACTERS), span.end + PLAIN_CHARACTERS];
    const last = regions.at(-1);
    if (last && start <= last.end) regions[regions.length - 1] = { start: last.start, end };
    else regions.push({ start, end });
  }
  return regions;
}

function spansIn(text: string, offset: number, patterns: readonly Pattern[]): readonly Span[] {
  const has = literalsIn(text.toLowerCase());
  const calm = isCalm(text);
  return patterns
    .filter((pattern) => mayMatch(pattern, text, has, calm))
    .flatMap((pattern) => [...pattern.matches(text)].flatMap(({ groups }) => groups[GROUP] ?? []))
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }));
}
