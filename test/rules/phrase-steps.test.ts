// All phrases at once find what each of them finds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePhrase } from "../../src/rules/phrase.js";
import { matchPhrase } from "../../src/rules/phrase-match.js";
import { createSteps, isPlain, type Step } from "../../src/rules/phrase-steps.js";
import { toWords } from "../../src/rules/words.js";

const WORD = fc.constantFrom("use", "the", "old", "new", "cache", "now");
const OPTION = fc.array(WORD, { minLength: 1, maxLength: 2 }).map((words) => words.join(" "));
const OPTIONS = fc.array(OPTION, { minLength: 1, maxLength: 3 }).map((options) => options.join("|"));
const PART = fc.oneof(
  WORD,
  OPTIONS.map((options) => `(${options})`),
  OPTIONS.map((options) => `[${options}]`),
);
const PHRASE = fc
  .record({ start: fc.boolean(), parts: fc.array(PART, { minLength: 1, maxLength: 4 }), word: WORD, gap: fc.boolean() })
  .map(({ start, parts, word, gap }) => `${start ? "^" : ""}${[...parts, word].join(" ")}${gap ? " ..." : ""}`);
const TEXT = fc.array(fc.oneof(WORD, fc.constantFrom(";", ",", "else")), { maxLength: 9 }).map((words) => words.join(" "));

function foundIn(text: string, phrases: readonly string[]): readonly string[] {
  const { add, inside, atStart } = createSteps();
  for (const phrase of phrases) add(compilePhrase(phrase));
  const { folded } = toWords(text);
  const met = new Set<number>();
  for (let at = 0; at < folded.length; at++) {
    let step: Step | undefined = (at === 0 ? atStart : inside).get(folded[at] as string)?.step();
    for (let next = at + 1; step; next++) {
      for (const phrase of step.met) met.add(phrase);
      step = next < folded.length ? step.next(folded[next] as string) : undefined;
    }
  }
  return phrases.filter((_, number) => met.has(number));
}

test("phrases of words are followed all at once, and are those that match one by one", () => {
  fc.assert(
    fc.property(fc.array(PHRASE, { minLength: 1, maxLength: 6 }), TEXT, (phrases, text) => {
      const words = toWords(text);
      for (const phrase of phrases) expect(isPlain(compilePhrase(phrase))).toBe(true);
      const matching = phrases.filter((phrase) => matchPhrase(compilePhrase(phrase), words) !== undefined);
      expect(foundIn(text, phrases)).toEqual(matching);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["use ... now", "{what} is new", "use {what:word}", "set to {value:number}", "now:$"])(
  "%s has to be tried",
  (phrase) => {
    expect(isPlain(compilePhrase(phrase))).toBe(false);
  },
);

test("a phrase that only the end of a text decides is not said to be found before", () => {
  expect(foundIn("use the cache; or not", ["use the cache ..."])).toEqual(["use the cache ..."]);
  expect(foundIn("the cache", ["^cache", "cache"])).toEqual(["cache"]);
});
