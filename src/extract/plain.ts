// What stands where a secret would and is none: a placeholder, the name of a variable, a type.
import { PLAIN_CHARACTERS } from "../limits.js";
import { isCalm, mayMatch, type Pattern } from "../rules/pattern.js";

export interface Span {
  readonly start: number;
  readonly end: number;
}

const GROUP = "plain";

/** Does the pattern tell what is left as it is, instead of what is masked? */
export const isPlain = (pattern: Pattern) => pattern.groups.includes(GROUP);

/**
 * The spans that no pattern of those tells to be plain as a whole. Only what is near them is looked at: most texts hold none.
 * @param found what seems to be secret, from left to right
 */
export function withoutPlain(found: readonly Span[], patterns: readonly Pattern[], text: string): readonly Span[] {
  const plain = patterns.filter(isPlain);
  if (found.length === 0 || plain.length === 0) return found;
  const ends = new Map<number, number>();
  for (const { start, end } of around(found).flatMap((near) => spansIn(text.slice(near.start, near.end), near.start, plain)))
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  // One that only begins inside of it may be a secret: a value in a tag, a password in a command.
  return found.filter(({ start, end }) => end > (ends.get(start) ?? 0));
}

/** What is near, once for those that are near to each other: however many there are, no text is looked at twice. */
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
  const lower = text.toLowerCase();
  const calm = isCalm(text);
  return patterns
    .filter((pattern) => mayMatch(pattern, text, lower, calm))
    .flatMap((pattern) => [...pattern.matches(text)].flatMap(({ groups }) => groups[GROUP] ?? []))
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }));
}
