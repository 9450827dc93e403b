// The key under which two texts say the same, told at once for plain English, is that of the tokeniser.
import fc from "fast-check";
import { expect, test } from "vitest";
import { sameText, toWords } from "../../src/text/words.js";

const plain = fc.string({ unit: fc.constantFrom(..."abYZ09_'’`\"-–.,;:!?()[]{}<>/\\|*#@$%^&+=~ \t\né中"), maxLength: 30 });

test("words without marks, in lower case, one blank between", () => {
  expect(sameText("Don't use Redis; use C++ (v2.1)!")).toBe("don't use redis use c v2 1");
  fc.assert(
    fc.property(plain, (text) => {
      const { folded } = toWords(text);
      const words = folded.filter((word) => /[\p{L}\p{N}]/u.test(word));
      expect(sameText(text)).toBe((words.length > 0 ? words : folded).join(" "));
    }),
    { numRuns: 5_000 },
  );
});
