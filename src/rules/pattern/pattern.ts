// Compiles the regular expressions of packs: RE2 syntax, linear time, tried only where one of their literals occurs.
import { RE2JS } from "re2js";
import { REGEX_CHARACTERS, RUN_CHARACTERS } from "../../limits.js";
import { literal } from "../../text/forms.js";
import { rememberEach } from "../../text/remember.js";
import { prefixOf } from "./prefix.js";
import { type Required, requiredLiterals } from "./required-literals.js";

export interface Pattern {
  readonly source: string;
  /** Lower-case literals. Every matching text has at least one of them; empty if none are known. */
  readonly anchors: readonly string[];
  /** Sets of such literals. Every matching text has at least one of each set. */
  readonly every: readonly (readonly string[])[];
  readonly groups: readonly string[];
  /** Does the text have what every match begins with, as far as that is known? */
  begins(text: string): boolean;
  /** Finds texts that may match: by the prefix, or by the literals if the prefix could match any word. All its characters are
   * ASCII, and ranges do not mix upper and lower case. */
  readonly look: Expression;
  /** All matches, leftmost first, without overlap. */
  matches(text: string): Iterable<PatternMatch>;
  occurs(text: string): boolean;
}

/** An expression that is not compiled yet. */
export type Expression = { readonly source: string; readonly flags: string };

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

/** @param anchored reject a pattern that would be tried on every sentence */
export function compilePattern(source: string, anchored = true): Pattern | PatternFault {
  if (source.length > REGEX_CHARACTERS)
    return { code: "regex-syntax", message: `the pattern has more than ${REGEX_CHARACTERS} characters` };
  const look = /\(\?<?[=!]/.test(source);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    const message = look ? "RE2 does not support look-around" : (error as Error).message.replace(/\s+/g, " ");
    return {
      code: "regex-syntax",
      message,
      hint: look
        ? "match the words around it and capture with (?<text>…), or guard with unless"
        : "patterns use the syntax of RE2",
    };
  }
  const required = requiredLiterals(source);
  if (!required && anchored)
    return {
      code: "regex-anchor",
      message: "this pattern can match without any fixed text",
      hint: "a pattern without one would be tried on every sentence; add a word to it",
    };
  return toPattern(source, { anchors: [], every: [], ...required, groups: Object.keys(compiled.namedGroups()) }, compiled);
}

/** What is known about a pattern without compiling it. */
export type KnownPattern = Required & { readonly groups: readonly string[]; readonly look?: Expression };

/** @param compiled if missing, the pattern is compiled on first use @internal */
export function toPattern(source: string, known: KnownPattern, compiled?: RE2JS): Pattern {
  const { anchors, every, groups } = known;
  let engine = compiled;
  let prefix: RegExp | undefined | null = null;
  return {
    source,
    anchors,
    every,
    groups,
    begins(text) {
      if (prefix === null && known.look) prefix = new RegExp(known.look.source, known.look.flags);
      else if (prefix === null) prefix = prefixOf(source);
      return prefix === undefined || prefix.test(text);
    },
    get look() {
      if (known.look) return known.look;
      if (!this.begins("a") && prefix) return { source: prefix.source, flags: prefix.flags };
      // Other characters may look different in lower case.
      return {
        source: anchors.every((anchor) => /^[\0-\x7f]*$/.test(anchor)) ? anchors.map(literal).join("|") : "",
        flags: "iu",
      };
    },
    occurs(text) {
      if (!mayMatch(this, text, literalsOf(text))) return false;
      engine ??= RE2JS.compile(source);
      return engine.matcher(text).find();
    },
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
        const [start, end] = [matcher.start(), matcher.end()];
        yield { start, end, groups: found };
        // After an empty match, at the next character, which may be a surrogate pair.
        from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
      }
    },
  };
}

/** Does the text, in lower case, have a literal? Each is looked for once: many patterns need the same ones. */
export const literalsIn = (lowerCase: string) => rememberEach((literal: string) => lowerCase.includes(literal));

/** The literals of a text, for many patterns in turn. Without regard to case, RE2 takes a long s for an s. */
function literalsOf(text: string): (literal: string) => boolean {
  if (last.text !== text) last = { text, has: literalsIn(text.toLowerCase().replaceAll("ſ", "s")) };
  return last.has;
}
let last = { text: "", has: literalsIn("") };

/** Can the pattern match at all?
 * @param has does the text have a literal (see literalsIn)?
 * @param calm all runs of blanks and of other characters are short (see isCalm) */
export function mayMatch(
  { anchors, every, begins }: Pattern,
  text: string,
  has: (literal: string) => boolean,
  calm = true,
): boolean {
  if (anchors.length > 0 && !anchors.some(has)) return false;
  if (!every.every((literals) => literals.some(has))) return false;
  return !calm || begins(text);
}

/** Are all runs of blanks and of other characters short? */
export const isCalm = (text: string): boolean => longRuns(text).length === 0;

/** The runs of blanks, and of other characters, that are too long to try patterns at each place. */
export function longRuns(text: string): readonly { readonly start: number; readonly end: number }[] {
  const runs: { readonly start: number; readonly end: number }[] = [];
  let start = 0;
  let blank = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : -1;
    const isBlank = code === 32 || (code >= 9 && code <= 13);
    if (isBlank === blank && code >= 0) continue;
    if (at - start >= RUN_CHARACTERS) runs.push({ start, end: at });
    start = at;
    blank = isBlank;
  }
  return runs;
}
