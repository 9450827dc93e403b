// A quick look never passes over what a phrase would match.
import fc from "fast-check";
import { expect, test } from "vitest";
import { likelyIn } from "../../../src/extract/calls/said.js";
import { matchPhrase } from "../../../src/rules/phrase/match-phrase.js";
import { compilePhrase } from "../../../src/rules/phrase/phrase.js";
import { toWords } from "../../../src/text/words.js";
import { runs } from "../../runs.js";

const TRIED = runs(5_000);

const WORD = fc.constantFrom(
  "use",
  "the",
  "The",
  "user's",
  "user’s",
  "--",
  "—",
  "cache",
  "…",
  "...",
  "Übung",
  "\u212Aey",
  "key",
  "[",
  "x".repeat(50),
);
const PHRASE = fc
  .record({ start: fc.boolean(), words: fc.array(WORD, { minLength: 1, maxLength: 3 }), either: fc.boolean() })
  .map(({ start, words, either }) => {
    const plain = words.map((word) => word.replace(/[[.…]+/g, "mark"));
    return `${start ? "^" : ""}${either ? `(${plain.join("|")}) the` : plain.join(" ")}`;
  });
const GAP = fc.constantFrom(" ", "", "\n", " ".repeat(45));
const TEXT = fc.array(fc.tuple(GAP, WORD), { maxLength: 8 }).map((parts) => parts.flat().join(""));

test("what matches is likely", () => {
  let matched = 0;
  fc.assert(
    fc.property(PHRASE, TEXT, (source, text) => {
      const phrase = compilePhrase(source);
      if (matchPhrase(phrase, toWords(text)) === undefined) return;
      matched++;
      expect(likelyIn([phrase], text)).toEqual([phrase]);
    }),
    { numRuns: TRIED, seed: 3 },
  );
  expect(matched).toBeGreaterThan(TRIED / 50);
});

test.each([
  ["^the user (rejected|declined)", "src/a.ts:1: the user rejected it"],
  ["user aborted the command", "the command passed"],
  ["^[the] user declined", "The tool passed"],
  ["^[the] user declined", "Das Gerät lief"],
])("%s cannot be in: %s", (source, text) => {
  expect(likelyIn([compilePhrase(source)], text)).toEqual([]);
});
