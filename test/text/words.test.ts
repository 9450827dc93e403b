// One tokeniser, whatever else a text holds: plain English is cut by a faster way, and in the same places.
import fc from "fast-check";
import { expect, test } from "vitest";
import { toWords } from "../../src/text/words.js";

const parts = [
  "a",
  "B",
  "7",
  "_",
  " ",
  "-",
  "--",
  "---",
  ".",
  "..",
  "...",
  "'",
  '"',
  "`",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ";",
  ",",
];
const text = fc.array(fc.constantFrom(...parts, "don't", "--force", "x--y", "\n", "\t", "$", "/"), { maxLength: 14 });

const cut = (said: string, behind: number) => {
  const { folded, start, end, glued, clauseEnds } = toWords(said);
  const own = <T>(list: readonly T[]) => list.slice(0, list.length - behind);
  return { folded: own(folded), start: own(start), end: own(end), glued: own(glued), clauseEnds: [...clauseEnds] };
};

test("gives the same words when a letter beyond ASCII follows", () => {
  fc.assert(
    fc.property(text, (pieces) => {
      const said = pieces.join("");
      expect(cut(said, 0)).toEqual(cut(`${said} é`, 1));
    }),
    { numRuns: 5_000 },
  );
});

test("two hyphens before a word are a flag, between words a dash", () => {
  expect(toWords("git push --force").folded).toEqual(["git", "push", "--", "force"]);
  expect(toWords("use git -- never svn").folded).toEqual(["use", "git", "—", "never", "svn"]);
  expect(toWords("this--that").folded).toEqual(["this", "—", "that"]);
});
