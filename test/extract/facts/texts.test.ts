import { expect, test } from "vitest";
import { builtInRules, extract } from "../../../src/index.js";
import { says } from "../../sample.js";

const { rules } = builtInRules();
const textsOf = (text: string, role?: "user" | "assistant") =>
  extract(says(text, role), rules).continuation.items.map((item) => item.text);

test("a long text ends with a whole word and with a mark of the cut", () => {
  const words = Array.from({ length: 40 }, (_, index) => `number${index}`).join(" ");
  const [text = ""] = textsOf(`We decided to keep the tables ${words}.`);
  expect(text.length).toBeLessThanOrEqual(150);
  expect(text).toMatch(/^keep the tables (?:number\d+ )+…$/);
  const last = /(\S+) …$/.exec(text)?.[1] ?? "";
  expect(words.split(" ")).toContain(last);
});

test("a bracket that is opened and closed stays, whatever stands before it", () => {
  const said = "b) The root cause is the lock of the importer (it is never released).";
  expect(textsOf(said).join("\n")).toContain("the lock of the importer (it is never released)");
});
