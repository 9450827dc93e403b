import { expect, test } from "vitest";
import type { Trace } from "../../../src/extract/facts/to-item.js";
import { builtInRules, extract, type Message, render } from "../../../src/index.js";

const { rules } = builtInRules();

/** What the user says, one message each, with an answer that says nothing behind each. */
function sessionOf(...texts: readonly string[]) {
  const messages = texts.flatMap((text, index): Message[] => [
    { id: `u${index}`, role: "user", text, toolCalls: [] },
    { id: `a${index}`, role: "assistant", text: "Ok.", toolCalls: [] },
  ]);
  return { id: "s", format: "neutral", messages };
}

const FIRST = "We work on the importer.";
const choices = (...texts: readonly string[]) =>
  extract(sessionOf(FIRST, ...texts), rules)
    .continuation.items.filter(({ kind }) => ["decision", "constraint", "rejection"].includes(kind))
    .map(({ evidence, status, text }) => ({ source: evidence.source, status, text }));
/** What has become of what was said first, where something was said behind it. */
const firstOf = (before: string, after: string) =>
  choices(before, after)
    .filter(({ source }) => source === "u1")
    .map(({ status }) => status);
const active = (...texts: readonly string[]) => choices(...texts).filter(({ status }) => status === "active");

const REPLACED = [
  // Another word in the same act.
  ["Call it Foxglove.", "Rather call it Bramble.", "Bramble"],
  ["Let's name the flag --fast.", "Actually, call the flag --quick.", "--quick"],
  // Another number of the same thing.
  ["Use a timeout of 30 s for the upload.", "Make it 60 s.", "60 s for the upload"],
  ["Use a timeout of 30 s for the upload.", "Hmm, make the timeout 60 seconds.", "60 s for the upload"],
  ["The retry limit must be 3.", "The retry limit must be 5.", "5"],
  ["Use port 8080 for the dev server.", "Change the port to 9090.", "9090"],
  ["Use port 8080 for the dev server.", "Make it port 9090.", "9090"],
  // The same terms, and words that turn.
  ["Please use tabs for indentation.", "Use spaces for indentation instead.", "spaces"],
] as const;

test.each(REPLACED)("%s, then: %s", (before, after, stands) => {
  expect(firstOf(before, after)).toEqual(["superseded"]);
  expect(
    active(before, after)
      .filter(({ source }) => source === "u2")
      .map(({ text }) => text)
      .join(),
  ).toContain(stands);
});

test.each([
  ["Don't touch the migrations folder.", "You may touch the migrations folder now."],
  ["Never edit the generated client by hand.", "It's ok to edit the generated client now."],
  ["Do not push to main.", "OK, you can push to main now."],
])("a ban that is lifted is none: %s %s", (before, after) => {
  expect(firstOf(before, after)).toEqual(["superseded"]);
});

test.each([
  ["Always run the linter before you commit.", "You don't have to run the linter anymore."],
  ["Always run the linter before you commit.", "No need to run the linter any more, CI does it."],
  ["You must ask me before you deploy.", "You needn't ask me before you deploy any more."],
  ["Always run the linter before you commit.", "OK, stop running the linter."],
  ["Always update the changelog with each fix.", "Forget the rule about the changelog."],
  ["Never touch the legacy folder.", "The legacy rule no longer applies."],
  [
    "Always add a test for the parser.",
    "From now on skip the parser tests, and drop the requirement to add a test for the parser.",
  ],
])("a rule that is waived is none: %s %s", (before, after) => {
  expect(firstOf(before, after)).toEqual(["superseded"]);
});

test.each([
  ["Always ask me before you deploy.", "Never ask me before you deploy."],
  ["Never ask me before you deploy.", "Always ask me before you deploy."],
  ["You may touch the legacy folder from now on.", "Never touch the legacy folder again."],
  ["You can push to main from now on.", "Do not push to main."],
])("the opposite takes the place of a rule: %s %s", (before, after) => {
  const found = choices(before, after);
  expect(found.filter(({ source }) => source === "u1").every(({ status }) => status === "superseded")).toBe(true);
  expect(found.filter(({ source }) => source === "u2").map(({ status }) => status)).toEqual(["active"]);
});

test.each([
  ["Always run the linter before you commit.", "You don't have to run the linter this time."],
  ["Always run the linter before you commit.", "You don't need to run the migrations."],
  ["Always run the linter before you commit.", "If CI is red, there is no need to run the linter."],
  ["Always use tabs.", "Never use tabs in YAML."],
  ["Always update the changelog with each fix.", "Don't forget to update the changelog."],
  ["Always ask me before you deploy.", "Never deploy on a Friday."],
  ["Never touch the legacy folder.", "The naming rule no longer applies."],
])("a rule that is not meant stands: %s %s", (before, after) => {
  expect(firstOf(before, after)).toEqual(["active"]);
});

test.each([
  ["Call it Foxglove.", "Call the second one Bramble."],
  ["Don't use tabs because they are wide.", "don't use tabs"],
  ["Let's name the flag --fast.", "Actually, call the folder quick."],
  ["Use a timeout of 30 s for the upload.", "Make the banner 60 px high."],
  ["Use a timeout of 30 s for the upload.", "Make it 60 px wide."],
  ["Use a timeout of 30 s for the upload.", "Should we make it 60 s?"],
  ["Don't touch the migrations folder.", "You can look at the tests now."],
  ["Never commit secrets.", "You can commit now."],
  ["Use the queue for the mails.", "It's ok to use the queue now."],
])("what is about something else stands: %s %s", (before, after) => {
  expect(firstOf(before, after)).toEqual(["active"]);
});

test("what is chosen in place of something ends all that chose it", () => {
  const found = choices("We decided to use Postgres for the log.", "Let's go with Postgres.", "We chose SQLite over Postgres.");
  expect(found.map(({ source, status }) => [source, status])).toEqual([
    ["u1", "superseded"],
    ["u2", "superseded"],
    ["u3", "active"],
  ]);
});

test("the newest of three counts", () => {
  const found = choices("Use a timeout of 30 s for the upload.", "Make it 60 s.", "No, make it 90 s.");
  expect(found.map(({ source, status }) => [source, status])).toEqual([
    ["u1", "superseded"],
    ["u2", "superseded"],
    ["u3", "active"],
  ]);
});

test("what is superseded stands in no rendering, and explain tells by what", () => {
  const traces: Trace[] = [];
  for (const [before, after] of REPLACED) {
    const extraction = extract(sessionOf(FIRST, before, "And write a test for it, please.", after, "Now go on."), rules, {
      trace: (one) => traces.push(one),
    });
    for (const [id, template] of rules.templates)
      expect(`${id}: ${render(extraction, template, rules, { tokens: 2_000 }).text}`).not.toContain(before.slice(0, -1));
  }
  const told = traces.filter(({ outcome }) => outcome === "superseded");
  expect(told.length).toBe(REPLACED.length);
  for (const { why, evidence } of told) expect([why, evidence.source]).toEqual([expect.stringMatching(/^u3:/), "u1"]);
});
