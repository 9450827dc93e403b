// Most texts need no Unicode classes: what is found without them is the same.
import { expect, test } from "vitest";
import { isSimple, lettersPattern } from "../../src/text/characters.js";
import { namesIn, termsIn } from "../../src/text/topic.js";
import { runs } from "../runs.js";

const LAST = 0x10ffff;

test("a simple text has no letter or digit outside ASCII", () => {
  const wrong: string[] = [];
  for (let code = 128; code <= LAST; code++) {
    const character = String.fromCodePoint(code);
    if (isSimple(character) && /[\p{L}\p{M}\p{N}]/u.test(character)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

const PARTS = ["a", "Z", "foo", "Bar", "HTML", "ABCd", "x1", "2", "_", ".", "/", ":", "'", "’", "-", " ", "—", "→", "🎯"];

test("names and words are the same in a text that has a foreign letter too", () => {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return PARTS[Math.floor((seed / 2_147_483_648) * PARTS.length)];
  };
  for (let tried = 0; tried < runs(5_000); tried++) {
    const text = Array.from({ length: 8 }, next).join("");
    expect(namesIn(text), text).toEqual(namesIn(`${text} é`));
    expect(new Set(termsIn(text)), text).toEqual(termsIn(`${text} é`));
  }
});

test("a pattern matches the same in both forms", () => {
  const pattern = lettersPattern(String.raw`(?<![\p{L}\p{N}])[\p{Lu}][\p{Ll}]+[\p{N}]`, "g");
  const text = "Ab1 aB2 — Cd3 🎯Ef4";
  expect(text.match(pattern(text))).toEqual(["Ab1", "Cd3", "Ef4"]);
  expect(`${text} Éé5`.match(pattern(`${text} Éé5`))).toEqual(["Ab1", "Cd3", "Ef4", "Éé5"]);
});
