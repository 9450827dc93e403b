// What was so at the time, and is not any more: it gives way to what still is.
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../src/index.js";

const { rules } = builtInRules();

type Said = readonly ["user" | "assistant", string];

/** How much each statement is worth in a brief. */
function worthOf(...said: readonly Said[]): (text: string) => number {
  const messages = said.map(([role, text], index): Message => ({ id: `m${index + 1}`, role, text, toolCalls: [] }));
  const { statements } = extract({ id: "s", format: "neutral", messages }, rules);
  return (text) => {
    const found = statements.find((one) => one.text.includes(text));
    if (!found) throw new Error(`no statement says ${text}`);
    return found.salience;
  };
}

describe("what a later message says was taken out or replaced", () => {
  const BEFORE: readonly Said[] = [
    ["user", "Make the dev server reload by itself."],
    ["assistant", "`npm run dev` uses ts-node-dev with hot reloading. The port is read from `config/server.ts` at start."],
    ["user", "It fails with ESM."],
  ];
  const worthAfter = (said: string, by: "user" | "assistant" = "assistant") =>
    worthOf(...BEFORE, [by, said], ["user", "Thanks, now look at the logs."])("uses ts-node-dev");
  const untouched = worthAfter("The loader was given the wrong path.");

  test.each([
    "I've replaced ts-node-dev with tsx.",
    "Replaced `ts-node-dev` with tsx, which knows ESM.",
    "Removed ts-node-dev from the dependencies.",
    "I switched from ts-node-dev to tsx.",
    "We use tsx instead of ts-node-dev.",
    "The scripts no longer need ts-node-dev.",
    "ts-node-dev has been removed.",
  ])("is worth less: %s", (said) => {
    expect(worthAfter(said)).toBeLessThan(untouched / 2);
  });

  test.each([
    "Should I replace ts-node-dev with tsx?",
    "You could replace ts-node-dev with tsx.",
    "If it fails again, I would switch from ts-node-dev to tsx.",
    "Removed the old readme from the docs.",
  ])("is worth as much as before: %s", (said) => {
    expect(worthAfter(said)).toBeGreaterThan(untouched * 0.9);
  });

  test("who speaks of it again has it again", () => {
    const worth = worthOf(
      ...BEFORE,
      ["assistant", "I've replaced ts-node-dev with tsx."],
      ["assistant", "tsx breaks the decorators, so `npm run dev` starts ts-node-dev again."],
    );
    expect(worth("uses ts-node-dev")).toBeGreaterThan(untouched * 0.9);
  });

  test("a rule of the user's stands, whatever the assistant took out", () => {
    const rule = "Never commit anything that needs ts-node-dev.";
    const of = (said: string) => worthOf(["user", rule], ["assistant", "Noted."], ["assistant", said])("Never commit");
    expect(of("I've replaced ts-node-dev with tsx.")).toBe(of("I've looked at the scripts and at the loader."));
  });
});

describe("what the user calls wrong", () => {
  const worthBefore = (reply: string) =>
    worthOf(
      ["user", "Set up the rules for the editor."],
      ["assistant", "The editor reads its rules from one JSON file in the root folder."],
      ["user", reply],
      ["assistant", "I'll look it up."],
    )("reads its rules");
  const untouched = worthBefore("Thanks, please write the first rule about imports.");

  test.each([
    "that's not right, look up the right format",
    "This is not correct, there is another one",
    "no, that's wrong",
    "you're wrong, read the manual",
    // What was undone, or did not help.
    "nevermind, i undid your changes",
    "I've reverted your last commit.",
    "Please revert.",
    "can you undo that?",
    "I tried your solution but it doesn't load",
    "both options don't work",
  ])("is worth less: %s", (reply) => {
    expect(worthBefore(reply)).toBeLessThan(untouched / 2);
  });

  test("a question whether it is right is no such thing", () => {
    expect(worthBefore("tell me if that is not right for older versions")).toBeGreaterThan(untouched / 2);
    expect(worthBefore("Add a button to undo the last change.")).toBeGreaterThan(untouched / 2);
  });
});

test.each([
  ["The icon will now display correctly on all pages.", "it's still using the old icon"],
  ["The page should load properly on phones.", "the page is still empty there"],
])("a claim that did not hold is worth less: %s", (claim, reply) => {
  const worth = (said: string) =>
    worthOf(["user", "Change the icon of the page."], ["assistant", claim], ["user", said], ["assistant", "I'll look."])(claim);
  expect(worth(reply)).toBeLessThan(worth("thanks, now write the docs") / 2);
});

test("how things stood, and what was up next, is worth less than the same without it", () => {
  const before = (said: string): readonly Said[] => [
    ["user", "Deploy the service."],
    ["assistant", said],
    ["user", "It wants a new name."],
    ["assistant", "I'll look at it."],
  ];
  const worth = (said: string) => worthOf(...before(`The image is built from two stages. ${said}`))(said);
  expect(worth("The service has no check for its health yet.")).toBeLessThan(worth("The service has no check for its health."));
  expect(worth("Try running `fly launch` again to see the name.")).toBeLessThan(
    worth("Fly prints the whole name of the app first."),
  );
});
