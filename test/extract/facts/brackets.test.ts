import { expect, test } from "vitest";
import { builtInRules, extract } from "../../../src/index.js";

const { rules } = builtInRules();

function factsIn(text: string, wanted: string) {
  const messages = [{ id: "m1", role: "user" as const, text, toolCalls: [] }];
  return extract({ id: "s", format: "neutral", messages }, rules)
    .continuation.items.filter(({ kind }) => kind === wanted)
    .map((item) => [item.text, item.fields.instead]);
}
const choicesIn = (text: string) => factsIn(text, "decision");

test("a choice does not tear the brackets in which another is ruled out", () => {
  expect(choicesIn("Use pnpm (not npm) in the scripts.")).toEqual([["pnpm", "npm"]]);
  expect(choicesIn("We chose zod (over io-ts) for parsing.")).toEqual([["zod", "io-ts"]]);
});

test("brackets that are whole stay", () => {
  expect(choicesIn("Use a cache (in memory) instead of files.")).toEqual([["a cache (in memory)", "files"]]);
});

test("what is not to be done is no choice that was ruled out, but a rule", () => {
  const text = "Use the bridge (read-only, do not modify).";
  expect(choicesIn(text)).toEqual([]);
  expect(factsIn(text, "constraint")).toEqual([["Use the bridge (read-only, do not modify)", undefined]]);
});
