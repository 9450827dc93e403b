// Masks secrets before anything else sees a text. A mask is as long as its secret, so offsets stay valid.
import { CALL_CHARACTERS } from "../../limits.js";
import { isDeep } from "../../text/forms.js";
import { remember, rememberFor } from "../../text/remember.js";
import { isCalm, literalsIn, mayMatch } from "../pattern/pattern.js";
import type { Rule } from "../rule-set.js";
import { isPlain, withoutPlain } from "./plain.js";
import { regionsOf } from "./regions.js";
import { type Span, unveil } from "./unveil.js";

export const MASK = "█";

/** Every mask sees the text as it was given, so none can hide a secret from another. What they find is united. */
export function redact(text: string, rules: readonly Rule[]): string {
  const seen = unveil(text);
  const spans = secretsIn(seen.text, rules);
  return spans.length === 0 ? text : masked(text, spans.map(seen.origin));
}

/** Characters at the ends of a region: what stands before a line of a key. */
const EDGE_CHARACTERS = 50;

function secretsIn(text: string, rules: readonly Rule[]): readonly Span[] {
  return regionsOf(text, rules).flatMap((region) => {
    // A secret that comes near the end of its region may go on behind it.
    for (let { start, end } = region, more = end - start; ; more *= 2) {
      const found = matchesIn(text, start, end, rules);
      const before = start > 0 && found.some((one) => one.start - start < EDGE_CHARACTERS);
      const behind = end < text.length && found.some((one) => end - one.end < EDGE_CHARACTERS);
      if (!before && !behind) return found;
      if (before) start = Math.max(0, start - more);
      if (behind) end = Math.min(text.length, end + more);
    }
  });
}

/** The patterns that find secrets, each with all patterns of its rule. */
const patternsOf = rememberFor((rules: readonly Rule[]) =>
  rules.flatMap(({ regex }) => regex.flatMap((pattern) => (isPlain(pattern) ? [] : [{ pattern, regex }]))),
);

function matchesIn(whole: string, from: number, to: number, rules: readonly Rule[]): readonly Span[] {
  const text = whole.slice(from, to);
  const calm = isCalm(text);
  const has = literalsIn(text.toLowerCase());
  const found = patternsOf(rules).flatMap(({ pattern, regex }) => {
    if (!mayMatch(pattern, text, has, calm)) return [];
    const matches = Array.from(pattern.matches(text), (match) => match.groups.text ?? match);
    return withoutPlain(matches, regex, text);
  });
  return found.map(({ start, end }) => ({ start: start + from, end: end + from }));
}

function masked(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const first = Math.max(start, from);
    result += text.slice(from, first) + MASK.repeat(end - first);
    from = end;
  }
  return result + text.slice(from);
}

/** Like `redact`, but remembers the results, because texts repeat. */
export const masker = rememberFor((rules: readonly Rule[]) => remember((text) => redact(text, rules)));

/** Characters on the other side of a cut that are masked too: they may tell that those on this side are half of a secret. */
const BEYOND_CHARACTERS = 4_000;

export const redactStart = (text: string, characters: number, mask: (text: string) => string): string =>
  mask(text.slice(0, characters + BEYOND_CHARACTERS)).slice(0, characters);

interface Ends {
  /** Characters at the start and at the end that are kept, or a few more. */
  readonly start: number;
  readonly end: number;
  /** Takes the place of what is cut out. */
  readonly joint: string;
}

/** Cuts the middle out of a long text, between lines. Where a line is too long for that, a secret that is split is masked. */
export function cutMiddle(text: string, { start, end, joint }: Ends, mask: (text: string) => string): string {
  if (text.length <= start + end + joint.length) return text;
  const lineEnd = text.indexOf("\n", start);
  const head = lineEnd < 0 || lineEnd > start + NEAR_CHARACTERS ? undefined : lineEnd;
  const tail = lineBefore(text, text.length - end);
  if ((head ?? start) >= (tail ?? text.length - end)) return text;
  const before = head === undefined ? splitAt(text, start, mask)[0] : text.slice(0, head);
  return before + joint + (tail === undefined ? splitAt(text, text.length - end, mask)[1] : text.slice(tail));
}

/** Characters in which the end of a line, or a name that tells that a word is a secret, is looked for. */
const NEAR_CHARACTERS = 200;
/** Lines that are kept before a cut text, because the name of a value may be there. */
const LINES_BEFORE = 3;

/** The start of an earlier line; undefined if lines are long. */
function lineBefore(text: string, place: number): number | undefined {
  let at = place;
  for (let line = 0; line < LINES_BEFORE; line++) {
    const before = text.lastIndexOf("\n", at - 1);
    if (before < 0 || at - before > NEAR_CHARACTERS) return undefined;
    at = before;
  }
  return at + 1;
}

/** Both sides of a cut. What is near it is masked together with both sides, so that no half of a secret is left. */
function splitAt(text: string, cut: number, mask: (text: string) => string): readonly [string, string] {
  const from = Math.max(0, cut - BEYOND_CHARACTERS);
  const masked = mask(text.slice(from, cut + BEYOND_CHARACTERS));
  let [start, end] = [Math.max(0, cut - from - NEAR_CHARACTERS), Math.min(masked.length, cut - from + NEAR_CHARACTERS)];
  // A mask is taken as a whole: what is left of its secret could not be recognised later.
  while (start > 0 && masked[start - 1] === MASK) start--;
  while (masked[end] === MASK) end++;
  return [text.slice(0, from + start) + masked.slice(start, cut - from), masked.slice(cut - from, end) + text.slice(from + end)];
}

/** Masks data string by string; undefined if it is nested too deeply. Neighbours may show that a string is a secret: its key, the
 * name in a pair, the flag before it. So they are masked together as one text, and the string is cut out of it again: a mask is
 * as long as the secret. */
export function redactValue(value: unknown, mask: (text: string) => string): unknown {
  if (isDeep(value)) return undefined;
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return mask(one);
    if (typeof one !== "object" || one === null) return one;
    const pairs = Object.entries(one).map(([key, inner]) => [mask(key), walk(inner)] as const);
    const written = (Array.isArray(one) ? asWords : asLines)(pairs);
    const masked = mask(written.map(({ text }) => text).join(""));
    let from = 0;
    const found = pairs.map(([key, inner], index) => {
      const { text, start, length } = written[index] as Written;
      const seen = masked.slice(from + start, from + start + length);
      from += text.length;
      return [key, seen.includes(MASK) ? seen : inner] as const;
    });
    return Array.isArray(one) ? found.map(([, inner]) => inner) : Object.fromEntries(found);
  };
  return walk(value);
}

interface Written {
  readonly text: string;
  /** Where the value starts in the text. */
  readonly start: number;
  readonly length: number;
}

type Pairs = readonly (readonly [string, unknown])[];

const asWords = (pairs: Pairs) =>
  pairs.map(([, value]): Written => {
    const word = scalarText(value);
    return { text: ` ${word}`, start: 1, length: word.length };
  });

/** Replaces quotes and line ends in a value: they would end it too early. */
const asLines = (pairs: Pairs) =>
  pairs.map(([key, value]): Written => {
    const word = scalarText(value).replace(/["\n]/g, " ");
    return { text: `${key}: "${word}"\n`, start: key.length + 3, length: word.length };
  });

const scalarText = (value: unknown) => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length > CALL_CHARACTERS ? "" : text;
};
