// Finds where in a text a secret may be. Only there are the patterns of the masks tried, one by one.

import { rememberFor } from "../../text/remember.js";
import { longRuns } from "../pattern/pattern.js";
import type { Rule } from "../rule-set.js";
import { isPlain } from "./plain.js";
import type { Span } from "./unveil.js";

/** Characters before and behind the place where a secret may begin, to the ends of their lines: a name, a value, a command. */
const BEFORE_CHARACTERS = 200;
const BEHIND_CHARACTERS = 400;
/** What comes so soon behind such a place is looked at with it. */
const STEP_CHARACTERS = 200;

/** Takes the place of a character that no pattern begins with. */
const NOTHING = "\0";
const WORD = "\\b";

/** Most texts contain nothing that a secret starts with. Three expressions find where one may be. They do without the flags `i`
 * and `u`, which would take twice as long: the text is changed instead, so that one unit is one character. */
const expressionsOf = rememberFor((rules: readonly Rule[]) => {
  const looks = rules.flatMap(({ regex }) => regex.filter((one) => !isPlain(one)).map(({ look }) => look));
  const exact = looks.flatMap(({ source, flags }) => (flags === "u" ? source : []));
  const anyCase = looks.flatMap(({ source, flags }) => (flags === "u" ? [] : source.replace(/\\.|[A-Z]/g, inLowerCase)));
  return {
    // Check for the start of a word once for all patterns, not once per pattern.
    words: oneOf(
      exact.flatMap((source) => (source.startsWith(WORD) ? source.slice(WORD.length) : [])),
      WORD,
    ),
    others: oneOf(exact.filter((source) => !source.startsWith(WORD))),
    lower: oneOf(anyCase),
  };
});

/** The lines around all places where a secret may be, and around long runs. Regions that meet are merged. */
export function regionsOf(text: string, rules: readonly Rule[]): readonly Span[] {
  const { words, others, lower } = expressionsOf(rules);
  const runs = longRuns(text);
  const units = withoutRuns(text, runs).replace(LONG_CHARACTERS, (one) => NOTHING.repeat(one.length));
  // Ignoring case, ſ is also an s.
  const small = units.toLowerCase().replaceAll("ſ", "s");
  const places = [...runs, ...placesIn(words, units), ...placesIn(others, units), ...placesIn(lower, small)];
  const regions: { start: number; end: number }[] = [];
  for (const place of places.sort((a, b) => a.start - b.start)) {
    const last = regions.at(-1);
    if (last && place.end + BEHIND_CHARACTERS < last.end) continue;
    const start = place.start < BEFORE_CHARACTERS ? 0 : text.lastIndexOf("\n", place.start - BEFORE_CHARACTERS) + 1;
    const line = text.indexOf("\n", place.end + BEHIND_CHARACTERS);
    const end = line < 0 ? text.length : line + 1;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end });
  }
  return regions;
}

/** Fills the place of a long run: its line breaks keep it from being a run itself. */
const NO_RUN = `${NOTHING}\n`;

function withoutRuns(text: string, runs: readonly Span[]): string {
  const parts = runs.map(({ start, end }, index) => {
    const before = text.slice(runs[index - 1]?.end ?? 0, start);
    return before + NO_RUN.repeat(end - start).slice(0, end - start);
  });
  return parts.join("") + text.slice(runs.at(-1)?.end ?? 0);
}

function placesIn(expression: RegExp, text: string): readonly Span[] {
  const places: Span[] = [];
  for (expression.lastIndex = 0; expression.lastIndex <= text.length && expression.test(text); ) {
    places.push({ start: expression.lastIndex, end: expression.lastIndex + STEP_CHARACTERS });
    expression.lastIndex += STEP_CHARACTERS;
  }
  return places;
}

/** Sources that begin with the same choice of words share it: the words are tried once. */
function oneOf(sources: readonly string[], before = ""): RegExp {
  const rests = new Map<string, Set<string>>();
  for (const source of sources) {
    const head = /^\(\?:[^()]*\)(?![*+?{])/.exec(source)?.[0] ?? "";
    rests.set(head, (rests.get(head) ?? new Set()).add(source.slice(head.length)));
  }
  const parts = Array.from(rests, ([head, rest]) => `${head}(?:${[...rest].join("|")})`);
  return new RegExp(parts.length > 0 ? `${before}(?:${parts.join("|")})` : "(?!)", "g");
}
/** Characters of two units; İ has two in lower case. */
const LONG_CHARACTERS = /[\ud800-\udbff][\udc00-\udfff]|İ/g;
const inLowerCase = (part: string) => (part.length > 1 ? part : part.toLowerCase());
