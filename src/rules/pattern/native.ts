// Converts simple RE2 patterns to JavaScript expressions for short texts: same matches, without loading RE2.
import { NATIVE_STEPS } from "../../limits.js";

/** Most ways to try a pattern at one position: up to here, it costs about as much as RE2 for the same text. */
const NATIVE_WAYS = 256;

// Characters that are literal in both syntaxes.
const PLAIN = /^[^\\^$.*+?()[\]{}|\p{Cs}]/u;
// Without \\B, which JavaScript also finds inside a surrogate pair.
const ESCAPED = /^\\[./\\?+*()[\]{}|^$bdDwWnrtf]/;
const BLANKS: Readonly<Record<string, string>> = {
  "\\s": "[\\t\\n\\f\\r ]",
  "\\S": "[^\\t\\n\\f\\r ]",
  ".": "[^\\n]",
  "\\-": "-",
};
const CLASS = /^\[\^?-?(?:[0-9A-Za-z]-[0-9A-Za-z]|\\[./\\?+*()[\]{}|^$dswnrtf-]|[^\\[\]^&~-]|-(?=\]))+\]/;
const QUANTIFIER = /^(?:([?*+])|\{(\d{1,2})(?:,(\d{0,2}))?\})\??/;

interface Read {
  readonly text: string;
  readonly rest: string;
  /** How many ways there are to try it at one position. */
  readonly ways: number;
  /** The number of unbounded parts: each multiplies the time by the length of the text. */
  readonly repeated: number;
  /** It can match the empty string. */
  readonly empty: boolean;
  /** It can only match at the start of the text. */
  readonly first: boolean;
}

export interface Native {
  readonly expression: RegExp;
  /** Longest text for which it is fast enough. */
  readonly characters: number;
}

/** Undefined if the two could differ, or if the time could grow faster than the square of the text's length. */
export function nativeOf(source: string): Native | undefined {
  const read = choice(source, true);
  if (read?.rest !== "" || read.ways > NATIVE_WAYS) return undefined;
  const power = read.repeated + (read.first ? 0 : 1);
  if (power > 2) return undefined;
  const expression = new RegExp(read.text, read.text.includes("(?<") ? "dgu" : "gu");
  return { expression, characters: (NATIVE_STEPS / read.ways) ** (1 / Math.max(power, 1)) };
}

function choice(source: string, outer: boolean): Read | undefined {
  const options: string[] = [];
  let rest = source;
  let ways = 0;
  let repeated = 0;
  let empty = false;
  let first = true;
  for (;;) {
    const option = sequence(rest, outer);
    if (!option) return undefined;
    options.push(option.text);
    ways += option.ways;
    repeated = Math.max(repeated, option.repeated);
    empty ||= option.empty;
    first &&= option.first;
    rest = option.rest;
    if (!rest.startsWith("|")) return { text: options.join("|"), rest, ways, repeated, empty, first };
    rest = rest.slice(1);
  }
}

function sequence(source: string, outer: boolean): Read | undefined {
  let rest = source;
  let text = "";
  let ways = 1;
  let repeated = 0;
  let empty = true;
  const first = outer && rest.startsWith("^");
  if (first) {
    text = "^";
    rest = rest.slice(1);
  }
  while (rest !== "" && !/^[|)]/.test(rest)) {
    if (outer && /^\$(?:\||$)/.test(rest)) {
      text += "$";
      rest = rest.slice(1);
      break;
    }
    const part = group(rest) ?? atom(rest);
    if (!part) return undefined;
    const quantifier = QUANTIFIER.exec(part.rest);
    text += part.text + (quantifier?.[0] ?? "");
    rest = part.rest.slice(quantifier?.[0].length ?? 0);
    ways *= part.ways;
    repeated += part.repeated;
    empty &&= part.empty || /^(?:[?*]|\{0)/.test(quantifier?.[0] ?? "");
    if (!quantifier) continue;
    // The two engines repeat an empty match differently.
    if (part.empty || QUANTIFIER.test(rest)) return undefined;
    // Only single characters may be repeated: then there is only one way to split a run.
    const [, mark, least, most = least] = quantifier;
    if (mark === "?") ways *= 2;
    else if (part.ways > 1 || part.text.startsWith("(")) return undefined;
    else if (mark !== undefined || least !== most) repeated++;
  }
  return { text, rest, ways, repeated, empty, first };
}

function group(source: string): Read | undefined {
  const opening = /^\((?:\?:|\?P?<([A-Za-z]\w*)>)/.exec(source);
  if (!opening) return undefined;
  const inner = choice(source.slice(opening[0].length), false);
  if (!inner?.rest.startsWith(")")) return undefined;
  const text = `(?${opening[1] === undefined ? ":" : `<${opening[1]}>`}${inner.text})`;
  return { ...inner, text, rest: inner.rest.slice(1) };
}

function atom(source: string): Read | undefined {
  const read = (found: string, text: string): Read => {
    return { text, rest: source.slice(found.length), ways: 1, repeated: 0, empty: text === "\\b", first: false };
  };
  const blank = Object.keys(BLANKS).find((one) => source.startsWith(one));
  if (blank !== undefined) return read(blank, BLANKS[blank] as string);
  const list = CLASS.exec(source)?.[0];
  if (list !== undefined)
    return read(
      list,
      list.replace(/\\./g, (one) => (one === "\\s" ? "\\t\\n\\f\\r " : one)),
    );
  const found = (ESCAPED.exec(source) ?? PLAIN.exec(source))?.[0];
  return found === undefined ? undefined : read(found, found);
}
