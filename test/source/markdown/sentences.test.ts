import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitSentences } from "../../../src/source/markdown/sentences.js";

const abbreviations = ["e.g.", "i.e.", "vs.", "etc."];
const split = (text: string, longest = 2_000) =>
  splitSentences(text, abbreviations, longest).map(({ start, end }) => text.slice(start, end));

describe("sentences", () => {
  test.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["Use a small one, e.g. zod, for parsing. Done.", ["Use a small one, e.g. zod, for parsing.", "Done."]],
    ["Node 18.17 runs src/a.ts fine. Yes.", ["Node 18.17 runs src/a.ts fine.", "Yes."]],
    ['He said "go." Then we went.', ['He said "go."', "Then we went."]],
    ["1. First thing. Second.", ["1. First thing.", "Second."]],
    ["1.A   2. glassy, like macOS   3. B   4. A + B", ["1.A", "2. glassy, like macOS", "3. B", "4. A + B"]],
    // An item of a list, without its mark.
    ["yes 2. ok, 3. no, leave it", ["yes", "2. ok,", "3. no, leave it"]],
    ["It needs node 2. Then run it. It has 3. Good.", ["It needs node 2.", "Then run it.", "It has 3.", "Good."]],
    ["1. Take version 2.", ["1. Take version 2."]],
    ["A. is fine, ensure we log. Then B.", ["A. is fine, ensure we log.", "Then B."]],
    ["We take plan A. Then we test.", ["We take plan A.", "Then we test."]],
    ['The message "Nothing is configured." is shown. Good.', ['The message "Nothing is configured." is shown.', "Good."]],
    ['Throw "It failed! See the log." in that case. Yes.', ['Throw "It failed! See the log." in that case.', "Yes."]],
    [
      "Override the default `feature/...` name. Then `let ... && let` too.",
      ["Override the default `feature/...` name.", "Then `let ... && let` too."],
    ],
    ['A wall of 5" only. Then a door.', ['A wall of 5" only.', "Then a door."]],
    ["我们决定。然后走。", ["我们决定。", "然后走。"]],
    ["Wait... what? Yes.", ["Wait... what?", "Yes."]],
    ["It takes… 3 of them. Well... Then not.", ["It takes… 3 of them.", "Well...", "Then not."]],
    ["", []],
    ["   ", []],
  ])("%j", (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  test("a long one is cut, never inside a surrogate pair", () => {
    const pieces = split("😀".repeat(50), 33);
    expect(pieces.join("")).toBe("😀".repeat(50));
    for (const piece of pieces) expect(!/[\uD800-\uDBFF]$/.test(piece)).toBe(true);
  });

  test("nothing but blanks is lost, and no sentence is too long", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", ".", "!", "?", " ", "\n", "e.g.", "😀", '"', ")"), maxLength: 300 }),
        (text) => {
          const pieces = split(text, 40);
          expect(pieces.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
          for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(40);
        },
      ),
    );
  });
});
