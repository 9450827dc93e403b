import { expect, test } from "vitest";
import { builtInRules, extract } from "../../src/index.js";
import { saysBetween } from "../sample.js";

const { rules } = builtInRules();

function constraintsIn(text: string) {
  return extract(saysBetween(text), rules)
    .continuation.items.filter(({ kind }) => kind === "constraint")
    .map((item) => item.text);
}

const long = `## Screens\n\n${"The list shows a title and a date for each film. ".repeat(60)}\n\n`;

test("a long prompt keeps its prohibitions", () => {
  const list = "- Do not recreate tables.\n- **DO NOT** hardcode colors\n- You must not reorder ids unless a migration does it";
  expect(constraintsIn(`${long}## Limits\n\n${list}`)).toEqual([
    "Do not recreate tables",
    "DO NOT hardcode colors",
    "You must not reorder ids unless a migration does it",
  ]);
});

test("a mark before a prohibition is not part of it", () => {
  expect(constraintsIn(`${long}- ❌ Do NOT bypass hooks\n- 🚫 Do not hardcode keys\n- ⚠️ Never rename routes`)).toEqual([
    "Do NOT bypass hooks",
    "Do not hardcode keys",
    "Never rename routes",
  ]);
});

test("a prohibition in something shown is none of the user's", () => {
  expect(constraintsIn(`This is the mail I got:\n\nDo not recreate tables.\nNever reorder ids.`)).toEqual([]);
});

test("what only sounds like one is none", () => {
  expect(constraintsIn("Don't worry about the colors.")).toEqual([]);
});

test("lines behind marks are prohibitions each, though they are no list", () => {
  expect(constraintsIn("Limits\n❌ Do NOT bypass hooks\n❌ Do NOT hardcode keys\n• never rename routes")).toEqual([
    "Do NOT bypass hooks",
    "Do NOT hardcode keys",
    "never rename routes",
  ]);
});

test("who wants a thing to be so, once, rules nothing", () => {
  expect(constraintsIn("I want the button to be red.")).toEqual([]);
  expect(constraintsIn("I want only pure functions in there.")).toEqual(["I want only pure functions in there"]);
});
