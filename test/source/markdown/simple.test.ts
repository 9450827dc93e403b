import fc from "fast-check";
import { expect, test } from "vitest";
import { LATE_CHARACTERS } from "../../../src/limits.js";
import { builtInRules } from "../../../src/rules/load-rules.js";
import { splitBlocks } from "../../../src/source/markdown/blocks.js";
import { readMarkdown } from "../../../src/source/markdown/read-markdown.js";
import { readSimple } from "../../../src/source/markdown/simple.js";
import { WHOLE } from "../../../src/source/markdown/visible.js";
import { createRandom, randomMessage } from "../../fuzz/messages.mjs";
import { runs } from "../../runs.js";

const { rules } = builtInRules();
const parseAll = (text: string, abbreviations: readonly string[]) => readMarkdown(text, abbreviations, { parseAll: true });

test("what is read without the parser is what the parser reads", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const text = randomMessage(createRandom(seed));
      for (const abbreviations of [["e.g."], rules.abbreviations])
        expect(readMarkdown(text, abbreviations)).toEqual(parseAll(text, abbreviations));
    }),
    { numRuns: runs(2_000), seed: 9 },
  );
});

const asNotes = (text: string, parse: boolean) => readMarkdown(text, WHOLE, { notes: true, parseAll: parse });

test("what is read of notes without the parser is what the parser reads", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const text = randomMessage(createRandom(seed));
      expect(asNotes(text, false)).toEqual(asNotes(text, true));
    }),
    { numRuns: runs(2_000), seed: 9 },
  );
});

test.each([
  "- [ ] a\n  - [x] b\n    - c\n  - d\n- [x] e\n\n  f\n",
  "- [ ] a\n\n  b\n  - [ ] c\n\n  d\n",
  "- a\n  - b\n    - [ ] c\n- [ ] d\n  1. e\n  2. [ ] f\n",
  "- Done:\n- a\n- Next:\n  - b\n- c\n- Left:\n\n  d\n- e\n",
  "Plan:\n1. Now:\n2. a\n   ```\n   b\n   ```\n3. c:\n   ```\n   d\n   ```\n4. e\n",
  "Blockers: a\nOpen Work: b\n- c\nd: e\n## f\n\n- g:\n\n- h\n",
])("it reads notes such as %j without the parser", (text) => {
  const outline = { headings: [], lead: undefined };
  expect(splitBlocks(text, true).every((block) => readSimple(text, block, outline, WHOLE))).toBe(true);
  expect(asNotes(text, false)).toEqual(asNotes(text, true));
});

test.each([
  "[a](b)](",
  "See [a](b)](c.",
  "```\n\f```\n\nWe use Redis.",
  "```\n\u00a0```\n\nWe use Redis.",
  "> ```\n> \f```\n> a",
  "*\n`\n\n    e\n\n3) a",
  "- a\n<div>\n\n    code\n\n3) b",
  "> > One *two\n> > three* four.\n>\n> Five.",
  "> a\n> > b\n> > c",
  "> > a\n> b",
  "> a\nb",
  ">*a*b\n>**.c**",
  "> a  \n>   b",
  ">     a",
  "> - a\n>   b",
  "> a\n> ===",
  "> a | b\n> --- | ---\n> c | d",
  "> [a]: b\n\n[a]",
  "`<t>\n-\n<k>\n<?\n\n```?>\n\ns",
  "<k>\n<!-- a\n\n```\n-->\n\nb",
])("it reads %j so, too", (text) => expect(readMarkdown(text, [])).toEqual(parseAll(text, [])));

test.each([
  "- a\n  - b\n    c\n\n  d\n- e\n  1. f\n     ```\n     g\n     ```\n",
  "Plan:\n\n- [ ] **a** b\n- [x] c\n  - d\n* e",
  "Sizes:\n\n| a | `b` |\n|---|:-:|\n| **c** |  |\n|d|e|",
  "a  \nb \nc\n\n---\n\n- d",
  "See [a.ts](src/a.ts), **`b`**: C:\\dir, \\*c\\*, Array<Item>, <= 3 & [d].",
  "## a  ",
])("it reads %j without the parser", (text) => {
  const outline = { headings: [], lead: undefined };
  expect(splitBlocks(text).every((block) => readSimple(text, block, outline, []))).toBe(true);
  expect(readMarkdown(text, [])).toEqual(parseAll(text, []));
});

test("a deadline between blocks leaves the rest after the beginning, and says how much", () => {
  const beginning = "One.\n\n".repeat(LATE_CHARACTERS / 6 + 1);
  const { segments, unread } = readMarkdown(`${beginning}Two.`, [], { late: () => true });
  expect(new Set(segments.map(({ text }) => text))).toEqual(new Set(["One."]));
  expect(unread).toBe("Two.".length);
});
