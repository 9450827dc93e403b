// Characters are looked up one by one; expressions over Unicode say the same at once.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isCombining, isInWord, isLetter, isWordly, runsOf, sortOf, UNSPACED } from "../../src/text/characters.js";
import { toWords } from "../../src/text/words.js";
import { runs } from "../runs.js";

const U = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}";
const ANY_WORD = new RegExp(
  `[${U}]\\p{M}*|(?:(?![${U}])[\\p{L}\\p{M}\\p{N}_])+(?:['’ʼ](?:(?![${U}])[\\p{L}\\p{M}])+)*|--+|\\.{3,}|[^\\s]`,
  "gu",
);

test("every character is of the sort that Unicode tells", () => {
  const unspaced = new RegExp(`[${U}]`, "u");
  const wrong: number[] = [];
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code);
    const sort = sortOf(code);
    const script = unspaced.test(character);
    const told = [isWordly, isInWord, isLetter, isCombining].map((is) => is(sort));
    const due = [/[\p{L}\p{M}\p{N}_]/u, /[\p{L}\p{M}\p{N}_]/u, /[\p{L}\p{M}]/u, /\p{M}/u].map((one) => one.test(character));
    if (script) due[1] = due[2] = false;
    if (String(told) !== String(due) || sort >= UNSPACED !== script || (sort === 1) !== /\s/.test(character)) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});

const marks = [..."aB1_é\u0301ß'’ʼ--..…–— \n\u00a0:/;`()漢字かな\u3099ภา\u0e34។x✅😀𝒜\u{1f200}\ud800\ufeff"];
const text = fc.array(fc.constantFrom(...marks), { maxLength: 25 }).map((characters) => characters.join(""));

test("the words of a text are those that the expression finds", () => {
  fc.assert(
    fc.property(text, (said) => {
      const words = toWords(`${said} …`);
      const found = [...`${said} …`.matchAll(ANY_WORD)];
      expect(words.start).toEqual(found.map(({ index }) => index));
      expect(words.end).toEqual(found.map((match) => match.index + match[0].length));
    }),
    { numRuns: runs(5_000) },
  );
});

test("and so are runs", () => {
  const run = /[\p{L}\p{M}\p{N}_]+(?:[./:'’-][\p{L}\p{M}\p{N}_]+)*/gu;
  fc.assert(
    fc.property(text, (said) => {
      expect(runsOf(said, isWordly, "./:'’-")).toEqual(said.match(run) ?? []);
    }),
    { numRuns: runs(5_000) },
  );
});
