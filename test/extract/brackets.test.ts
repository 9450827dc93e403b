import { expect, test } from "vitest";
import { builtInRules, extract } from "../../src/index.js";

const { rules } = builtInRules();

function choicesIn(text: string) {
  const messages = [{ id: "m1", role: "user" as const, text, toolCalls: [] }];
  return extract({ id: "s", format: "neutral", messages }, rules)
    .continuation.items.filter(({ kind }) => kind === "decision")
    .map((item) => [item.text, item.fields.instead]);
}

test("a choice does not tear the brackets in which another is ruled out", () => {
  expect(choicesIn("Use pnpm (not npm) in the scripts.")).toEqual([["pnpm", "npm"]]);
  expect(choicesIn("We chose zod (over io-ts) for parsing.")).toEqual([["zod", "io-ts"]]);
});

test("brackets that are whole stay", () => {
  expect(choicesIn("Use a cache (in memory) instead of files.")).toEqual([["a cache (in memory)", "files"]]);
});

test("what is not to be done is no choice that was ruled out", () => {
  expect(choicesIn("Use the bridge (read-only, do not modify).")).toEqual([
    ["Use the bridge (read-only, do not modify)", undefined],
  ]);
});
