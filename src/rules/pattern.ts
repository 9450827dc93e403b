// Regular expressions of a pack: RE2 syntax, linear time, tried only where a literal of theirs occurs.
import { RE2JS } from "re2js";
import { REGEX_CHARACTERS } from "../limits.js";
import { requiredLiterals } from "./pattern-literals.js";

export interface Pattern {
  readonly source: string;
  /** Lower-case literals of which one occurs in every text that matches; empty when there is none. */
  readonly anchors: readonly string[];
  readonly groups: readonly string[];
  /** All matches, leftmost first, without overlap. */
  matches(text: string): Iterable<PatternMatch>;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: Readonly<Record<string, { readonly start: number; readonly end: number }>>;
}

export interface PatternFault {
  readonly code: "regex-syntax" | "regex-anchor";
  readonly message: string;
  readonly hint?: string;
}

/** @param anchored refuse a pattern that would be tried on every sentence */
export function compilePattern(source: string, anchored = true): Pattern | PatternFault {
  if (source.length > REGEX_CHARACTERS)
    return { code: "regex-syntax", message: `the pattern has more than ${REGEX_CHARACTERS} characters` };
  const look = /\(\?<?[=!]/.test(source);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    const message = look ? "RE2 has no look-around" : (error as Error).message.replace(/\s+/g, " ");
    return {
      code: "regex-syntax",
      message,
      hint: look ? "match the words around it and capture with (?<text>…), or guard with unless" : "the syntax is that of RE2",
    };
  }
  const anchors = requiredLiterals(source);
  if (!anchors && anchored) {
    return {
      code: "regex-anchor",
      message: "no literal text must occur for this pattern to match",
      hint: "a pattern without one would be tried on every sentence; add a word to it",
    };
  }
  return toPattern(source, anchors ?? [], Object.keys(compiled.namedGroups()), compiled);
}

/** @param compiled when not given, the pattern is compiled at its first use */
export function toPattern(source: string, anchors: readonly string[], groups: readonly string[], compiled?: RE2JS): Pattern {
  let engine = compiled;
  return {
    source,
    anchors,
    groups,
    *matches(text) {
      engine ??= RE2JS.compile(source);
      const matcher = engine.matcher(text);
      let from = 0;
      while (from <= text.length && matcher.find(from)) {
        const found: Record<string, { start: number; end: number }> = {};
        for (const name of groups) {
          const start = matcher.start(name);
          if (start >= 0) found[name] = { start, end: matcher.end(name) };
        }
        const end = matcher.end();
        yield { start: matcher.start(), end, groups: found };
        from = end > matcher.start() ? end : end + 1;
      }
    },
  };
}

/** Does one of the pattern's literals occur? */
export function mayMatch(pattern: Pattern, lowerCase: string): boolean {
  return pattern.anchors.length === 0 || pattern.anchors.some((anchor) => lowerCase.includes(anchor));
}
