// Regular expressions of a pack: RE2 syntax, linear time, tried only where a literal of theirs occurs.
import { RE2JS } from "re2js";
import { REGEX_CHARACTERS } from "../limits.js";

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
  const groups = Object.keys(compiled.namedGroups());
  return {
    source,
    anchors: anchors ?? [],
    groups,
    *matches(text) {
      const matcher = compiled.matcher(text);
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

type Anchors = readonly string[] | undefined;

/**
 * Literals one of which every match holds: of all that must occur in sequence, the set whose shortest is longest.
 * What is not understood counts as "nothing known", so the answer may be weaker than possible but never wrong.
 */
function requiredLiterals(source: string): Anchors {
  let at = 0;
  const worth = (anchors: Anchors) => (anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0);

  function alternatives(): Anchors {
    const branches = [sequence()];
    while (source[at] === "|") {
      at++;
      branches.push(sequence());
    }
    return branches.every((branch) => branch !== undefined)
      ? [...new Set(branches.flatMap((branch) => branch ?? []))]
      : undefined;
  }

  function sequence(): Anchors {
    let best: Anchors;
    let run = "";
    const offer = (anchors: Anchors) => {
      if (worth(anchors) > worth(best)) best = anchors;
    };
    const endRun = () => {
      if (run) offer([run.toLowerCase()]);
      run = "";
    };
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const literal = atom(offer, endRun);
      const { optional, repeated } = quantifier();
      if (literal === undefined) continue;
      if (optional) endRun();
      else if (repeated) {
        run += literal;
        endRun();
      } else run += literal;
    }
    endRun();
    return best;
  }

  /** Reads one atom; its text when it is a literal character. */
  function atom(offer: (anchors: Anchors) => void, endRun: () => void): string | undefined {
    const mark = source[at++] as string;
    if (mark === "(") {
      endRun();
      const flags = /^\?[a-zA-Z-]*\)/.exec(source.slice(at))?.[0];
      if (flags) {
        at += flags.length;
        return undefined;
      }
      at += /^\?(?:P?<[^>]*>|[a-zA-Z-]*:)/.exec(source.slice(at))?.[0].length ?? 0;
      const inner = alternatives();
      at++;
      if (!peekOptional()) offer(inner);
      return undefined;
    }
    if (mark === "[") {
      endRun();
      if (source[at] === "^") at++;
      if (source[at] === "]") at++;
      while (at < source.length && source[at] !== "]") {
        if (source[at] === "\\") at++;
        if (source.startsWith("[:", at)) at = source.indexOf(":]", at) + 1;
        at++;
      }
      at++;
      return undefined;
    }
    if (mark === "\\") {
      const escaped = source[at++] as string;
      if (escaped === "b" || escaped === "B") return "";
      if (/[^a-zA-Z0-9]/.test(escaped)) return escaped;
      if (source[at] === "{") at = source.indexOf("}", at) + 1;
      endRun();
      return undefined;
    }
    if (mark === "." || mark === "^" || mark === "$") {
      if (mark === ".") endRun();
      return mark === "." ? undefined : "";
    }
    return mark;
  }

  const peekOptional = () => /^(?:[?*]|\{0?[,}])/.test(source.slice(at));

  function quantifier(): { optional: boolean; repeated: boolean } {
    const found = /^(?:[?*+]|\{\d*,?\d*\})\??/.exec(source.slice(at))?.[0];
    if (!found) return { optional: false, repeated: false };
    at += found.length;
    return { optional: /^(?:[?*]|\{0?[,}])/.test(found), repeated: true };
  }

  return alternatives();
}
