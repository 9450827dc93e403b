import { describe, expect, test } from "vitest";
import { builtInRules, extract, render } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";
import { AWKWARD, FOUND, HOSTILE } from "../hostile/inputs.mjs";
import { says } from "../sample.js";

const { rules } = builtInRules();

// Growth is measured by `npm run bench`; here it counts that all goes through, and that what stands beside is found.
describe.each(Object.entries({ ...HOSTILE, ...AWKWARD }))("%s", (_, make) => {
  test("is read, and so is what stands around it", () => {
    const text = `We decided to use Bun.\n\n${make(50_000)}\n\nWe decided to use Deno.`;
    const extraction = extract(says(text), rules);
    const found = extraction.continuation.items.filter(({ kind }) => kind === "decision").map((item) => item.text);
    expect(found).toContain("use Bun");
    expect(found).toContain("use Deno");
    expect(render(extraction, rules.templates.get("brief") as Template, rules).tokens).toBeLessThanOrEqual(500);
  });
});

// Some of these leave a fence open, and what follows in the same message is code.
test.each(Object.entries(FOUND))("%s: is read, and so are the messages around it", (_, make) => {
  const texts = ["We decided to use Bun.", make(50_000), "We decided to use Deno."];
  const messages = texts.map((text, index) => ({ id: `m${index}`, role: "assistant" as const, text, toolCalls: [] }));
  const { items } = extract({ id: "session", format: "test", messages }, rules).continuation;
  const found = items.filter(({ kind }) => kind === "decision").map((item) => item.text);
  expect(found).toEqual(expect.arrayContaining(["use Bun", "use Deno"]));
});

test("more sentences than a call may have arguments", () => {
  expect(extract(says("Hi. ".repeat(150_000)), rules).statements).toHaveLength(150_000);
});

describe("what looks like a fence and is none hides nothing", () => {
  const prose = "A sentence that says something.\n\n".repeat(600);
  test.each([
    ["code in a line", "```npm test``` is green."],
    ["a fence that ends with its quotation", "> ```\n> code\n"],
    ["indented code", "    ```"],
  ])("%s", (_, start) => {
    const { items } = extract(says(`${start}\n\n${prose}\n\nWe decided to use SQLite.`), rules).continuation;
    expect(items.filter(({ kind }) => kind === "decision").map(({ text }) => text)).toEqual(["use SQLite"]);
  });
});

test("a list under a line that introduces it keeps its indented paragraphs", () => {
  const text = `Intro:\n${"- an item of the list\n".repeat(400)}\n    We decided to use SQLite.`;
  expect(extract(says(text), rules).continuation.items.map((item) => item.text)).toContain("use SQLite");
});

test("a byte order mark moves no offset", () => {
  const { items } = extract(says("\uFEFFHello *you*, see [[Foo]] there."), rules).continuation;
  expect(items.map(({ evidence }) => evidence.quote)).toEqual(["[[Foo]]"]);
});
