import fc from "fast-check";
import type { Paragraph, Root } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { expect, test } from "vitest";
import { splitBlocks } from "../../src/source/blocks.js";
import { readPlain } from "../../src/source/plain.js";

const parser = unified().use(remarkParse).freeze();
const piece = fc.constantFrom(
  "a",
  "b.",
  "word ",
  " ",
  "\n",
  "\r\n",
  "\n\n",
  "-",
  "+",
  "=",
  ":",
  "1.",
  "2) ",
  "  ",
  "   ",
  "é",
  "😀",
  "!",
  "(",
  '"',
  "'",
  "$",
  "@",
  "http://a.b",
  "\u00A0",
  "\u2028",
  ";",
  "—",
  "{",
  "^",
  "\f",
  "\v",
  "\r",
  "*",
  "_",
  "[",
  "`",
  "<",
  "#",
  "&",
  "|",
  "\t",
  "\\",
  "~",
);

/** What the parser makes of a plain paragraph; undefined when it is something else. */
function parsed(text: string): string | undefined {
  const { children } = parser.parse(text) as Root;
  const [only] = children;
  if (children.length !== 1 || only?.type !== "paragraph") return undefined;
  const inner = (only as Paragraph).children;
  return inner.every(({ type }) => type === "text")
    ? inner.map((node) => ("value" in node ? node.value : "")).join("")
    : undefined;
}

test("a paragraph read without the parser is what the parser reads", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      for (const block of splitBlocks(text)) {
        const visible = readPlain(text, block);
        if (!visible) continue;
        plain++;
        expect(visible.text).toBe(parsed(text.slice(block.start, block.end)));
      }
    }),
    { numRuns: 10_000 },
  );
  expect(plain).toBeGreaterThan(1_000);
});
