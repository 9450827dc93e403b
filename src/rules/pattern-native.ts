// A simple pattern as an expression of the engine's own, for short texts: the same matches, without loading RE2 for them.
import { NATIVE_WAYS, NATIVE_WAYS_REPEATED } from "../limits.js";

// Characters that stand for themselves in both languages.
const PLAIN = /^[^\\^$.*+?()[\]{}|\p{Cs}]/u;
// Without \\B, which the engine finds inside of a pair, too.
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
  /** In so many ways it can be tried at one place, */
  readonly ways: number;
  /** each of them as often as the text is long for every part that takes as much as it can. */
  readonly repeated: number;
  /** It may be nothing at all. */
  readonly empty: boolean;
}

/**
 * Undefined where the two might differ, or where trying could take long. One part at most is repeated, so that a text
 * costs the square of its length at most: it must be short.
 */
export function nativeOf(source: string): RegExp | undefined {
  const read = choice(source, true);
  if (read?.rest !== "") return undefined;
  if (read.repeated > 1 || read.ways > (read.repeated === 1 ? NATIVE_WAYS_REPEATED : NATIVE_WAYS)) return undefined;
  return new RegExp(read.text, read.text.includes("(?<") ? "dgu" : "gu");
}

function choice(source: string, outer: boolean): Read | undefined {
  const options: string[] = [];
  let rest = source;
  let ways = 0;
  let repeated = 0;
  let empty = false;
  for (;;) {
    const option = sequence(rest, outer);
    if (!option) return undefined;
    options.push(option.text);
    ways += option.ways;
    repeated = Math.max(repeated, option.repeated);
    empty ||= option.empty;
    rest = option.rest;
    if (!rest.startsWith("|")) return { text: options.join("|"), rest, ways, repeated, empty };
    rest = rest.slice(1);
  }
}

function sequence(source: string, outer: boolean): Read | undefined {
  let rest = source;
  let text = "";
  let ways = 1;
  let repeated = 0;
  let empty = true;
  if (outer && rest.startsWith("^")) {
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
    // Of nothing, one language takes none and the other one.
    if (part.empty || QUANTIFIER.test(rest)) return undefined;
    // What is repeated is one character: there is one way only to share a run of them.
    const [, mark, least, most = least] = quantifier;
    if (mark === "?") ways *= 2;
    else if (part.ways > 1 || part.text.startsWith("(")) return undefined;
    else if (mark !== undefined || least !== most) repeated++;
  }
  return { text, rest, ways, repeated, empty };
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
    return { text, rest: source.slice(found.length), ways: 1, repeated: 0, empty: text === "\\b" };
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
