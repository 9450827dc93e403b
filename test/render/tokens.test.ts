import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { expect, test } from "vitest";
import { TOKEN_CHARACTERS } from "../../src/limits.js";
import { countTokens, estimateOf } from "../../src/render/tokens.js";

test("line by line and word by word, a text takes as many tokens as at once", () => {
  const piece = fc.constantFrom(
    "\n",
    " ",
    "\t",
    "\r\n",
    ".",
    "、",
    "word",
    "Identifier",
    "42",
    "漢字",
    "ä",
    "- ",
    "`",
    "\u2028",
    "🙂",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 4 })), { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(estimateOf(text)).toBe(estimateTokenCount(text));
      expect(countTokens(text)).toBe(Math.max(estimateTokenCount(text), Math.ceil(text.length / TOKEN_CHARACTERS)));
    }),
    { numRuns: 3_000 },
  );
});
