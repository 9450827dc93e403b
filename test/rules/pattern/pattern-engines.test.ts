// What is asked before RE2, or of it, must be what RE2 would answer.
import { resolve } from "node:path";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { compilePattern, type PatternMatch } from "../../../src/rules/pattern/pattern.js";
import { prefixOf } from "../../../src/rules/pattern/prefix.js";

const RUNS = { numRuns: Number(process.env.RUNS ?? 2_000) };
const prepared = await import(resolve("dist/config/data/prepared.js"));
const built: readonly string[] = Object.keys(prepared.default.patterns);

const quantifier = fc.constantFrom(..."||||?|*|+|{2}|{1,3}|{2,}|*?|+?".split("|"));
const atom = fc.constantFrom(
  ...[
    "a",
    "b",
    "k",
    "s",
    "0",
    "_",
    "-",
    " ",
    ":",
    "“",
    "é",
    "\\.",
    "\\-",
    "\\(",
    "\\b",
    "\\B",
    "\\s",
    "\\S",
    "\\d",
    "\\w",
    "\\W",
  ],
  ...[
    ".",
    "\\n",
    "[a-c]",
    "[^a]",
    "[\\w-]",
    "[^\\s:]",
    "[a\\-.]",
    "[^\\d]",
    "[A-Z]",
    "[-_]",
    '["“]',
    "[\\\\s]",
    "(?:a|bc)",
    "(?:ab|a)",
  ],
  ...["(?:ba?|[_])", "(?:a|)"],
);
const simplePart = fc.tuple(atom, quantifier).map(([one, often]) => (/^\\[bB]$/.test(one) ? one : one + often));
const group = fc
  .tuple(fc.constantFrom("(?:", "(?P<x>", "(?<x>", "("), fc.array(simplePart, { minLength: 1, maxLength: 3 }), quantifier)
  .map(([open, parts, often]) => `${open}${parts.join("")})${often}`);
const branch = fc
  .tuple(
    fc.constantFrom("", "", "^"),
    fc.array(fc.oneof({ weight: 6, arbitrary: simplePart }, { weight: 1, arbitrary: group }), { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "$"),
  )
  .map((parts) => parts.flat().join(""));
const pattern = fc
  .tuple(fc.constantFrom("", "", "", "(?i)"), fc.array(branch, { minLength: 1, maxLength: 3 }))
  .map(([flags, branches]) => flags + branches.join("|"));
const alphabet = 'aabbckKKsSſ0٣_-–  \n\t\r\v\u00a0\u2028:“”é.()\\😀\ud800"';
const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }).map((characters) => characters.join(""));

/** Patterns that RE2 refuses, and names that come twice, say nothing. */
function re2(source: string, said: string): readonly PatternMatch[] | undefined {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch {
    return undefined;
  }
  const matcher = compiled.matcher(said);
  const found: PatternMatch[] = [];
  for (let from = 0; from <= said.length && matcher.find(from); ) {
    const [start, end] = [matcher.start(), matcher.end()];
    const groups: Record<string, { start: number; end: number }> = {};
    for (const name of Object.keys(compiled.namedGroups()))
      if (matcher.start(name) >= 0) groups[name] = { start: matcher.start(name), end: matcher.end(name) };
    found.push({ start, end, groups });
    from = end > start ? end : end + String.fromCodePoint(said.codePointAt(end) ?? 0).length;
  }
  return found;
}

test("finds what RE2 finds, at the same places", () => {
  let found = 0;
  fc.assert(
    fc.property(pattern, text, (source, said) => {
      const expected = re2(source, said);
      if (!expected) return;
      const compiled = compilePattern(source, false);
      if ("code" in compiled) throw new Error(compiled.message);
      expect([...compiled.matches(said)]).toEqual(expected);
      expect(compiled.occurs(said)).toBe(expected.length > 0);
      found += expected.length;
    }),
    RUNS,
  );
  expect(found).toBeGreaterThan(RUNS.numRuns / 20);
});

test("where RE2 finds something, the expression of how it begins finds something there", () => {
  let told = 0;
  fc.assert(
    fc.property(fc.oneof(pattern, fc.constantFrom(...built)), text, (source, said) => {
      const expected = re2(source, said);
      const prefix = expected && prefixOf(source);
      if (!prefix) return;
      told++;
      for (const { start } of expected) {
        const there = new RegExp(prefix.source, `${prefix.flags}y`);
        there.lastIndex = start;
        expect(there.test(said), `${prefix} at ${start}`).toBe(true);
      }
    }),
    RUNS,
  );
  expect(told).toBeGreaterThan(RUNS.numRuns / 20);
});
