import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render, type Template } from "../../../src/index.js";
import { saysBetween } from "../../sample.js";

const { rules } = builtInRules();
const template = rules.templates.get("brief") as Template;

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

test.each([
  "I never got it to work.",
  "It crashed and never recovered.",
  "The workers start and do not print anything.",
  "No edits to the table were needed.",
  "Shouldn't the table be empty",
  "Before we start: don't we need a key?",
  "Why is the table off limits?",
  "You can't see the table from here.",
])("nor is %j", (text) => {
  expect(constraintsIn(text)).toEqual([]);
});

test.each([
  "Hands off the tables!",
  "Stay away from the tables.",
  "dont edit the tables",
  "The tables are off limits.",
  "No edits to the tables.",
  "Dropping a table? Renaming the tables is forbidden.",
  "Leave the tables alone.",
  "You are not allowed to rename the tables.",
  "If in doubt, don't rename the tables.",
  "Respect the tables and never rename their columns.",
  "Speed up the import, but don't rename the tables.",
  "Speed up the import without renaming the tables.",
  "Table names come from the config; do not hard-code them.",
])("a prohibition in other words, also in a long prompt: %j", (text) => {
  const ban = text.replace(/^.*\? /, "").replace(/[.!]$/, "");
  expect(constraintsIn(text)).toEqual([ban]);
  expect(constraintsIn(`${long}${text}`)).toEqual([ban]);
});

test.each(["Whatever you do,", "Before we start:", "Oh, one more thing:", "It is important that you", "Remember,"])(
  "words before a prohibition are not part of it: %j",
  (before) => {
    const [found] = constraintsIn(`${before} do not rename the tables.`);
    expect(found).toMatch(/^(you )?do not rename the tables$/);
  },
);

test("lines behind marks are prohibitions each, though they are no list", () => {
  expect(constraintsIn("Limits\n❌ Do NOT bypass hooks\n❌ Do NOT hardcode keys\n• never rename routes")).toEqual([
    "Do NOT bypass hooks",
    "Do NOT hardcode keys",
    "never rename routes",
  ]);
});

/** The rules in a brief of a session in which the user says this after the first request, and files change then. */
function rulesAfter(text: string) {
  const edit = { name: "Write", input: { file_path: "src/a.ts", content: "x" }, output: "ok", status: "completed" };
  const messages: readonly Message[] = [
    { id: "1", role: "user", text: "Port the theme to the new API.", toolCalls: [] },
    { id: "2", role: "assistant", text: "It is ported.", toolCalls: [edit] },
    { id: "3", role: "user", text, toolCalls: [] },
    { id: "4", role: "assistant", text: "Changed.", toolCalls: [{ ...edit, input: { file_path: "src/b.ts", content: "x" } }] },
    { id: "5", role: "user", text: "Commit it.", toolCalls: [] },
  ];
  const brief = render(extract({ id: "s", format: "claude-code", messages }, rules), template, rules).text;
  return [...brief.matchAll(/^Rule: (.*)$/gm)].map(([, rule]) => rule);
}

test.each([
  "Make sure the title colour is also used.",
  "The text must stop when it meets a line break.",
  "Please use the dark theme for the header.",
  "I think the list does not respect that every row must have a key.",
])("a request that was carried out is no rule: %j", (text) => {
  expect(rulesAfter(text)).toEqual([]);
});

test.each([
  "No console logs!",
  "Use hex values in the themes, no indices!",
  "Make sure every theme has a name.",
  "A broken theme must never stop the start.",
  "Always run the linter.",
  "Do not touch the parser.",
])("what holds for later work is a rule: %j", (text) => {
  expect(rulesAfter(text)).toEqual([text]);
});

test("a rule about something that was named before is shown with it", () => {
  expect(rulesAfter("PR #12 is a draft. Do not merge it.")).toEqual(["PR #12 is a draft. Do not merge it."]);
  expect(rulesAfter("The docs PR:\n- It may be old.\n- Do not merge it until I ask.")).toEqual([
    "The docs PR: Do not merge it until I ask.",
  ]);
  expect(rulesAfter("State:\n- Files of the user:\n  - a.ts\n  - b.ts\n- Never edit or move those.")).toEqual([
    "Files of the user: Never edit or move those.",
  ]);
  expect(rulesAfter("PR #12 is a draft. Do not merge the docs.")).toEqual(["Do not merge the docs."]);
});

test("who wants a thing to be so, once, rules nothing", () => {
  expect(constraintsIn("I want the button to be red.")).toEqual([]);
  expect(constraintsIn("I want only pure functions in there.")).toEqual(["I want only pure functions in there"]);
});
