import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../../src/index.js";

const { rules } = builtInRules();
const brief = rules.templates.get("brief") as NonNullable<ReturnType<typeof rules.templates.get>>;

/** What a brief says of a session in which the user and the assistant say this in turn. */
function briefOf(...texts: readonly string[]) {
  const messages = texts.map(
    (text, index): Message => ({ id: `m${index}`, role: index % 2 === 0 ? "user" : "assistant", text, toolCalls: [] }),
  );
  return render(extract({ id: "s", format: "neutral", messages }, rules), brief, rules, { tokens: 2_000 }).text;
}

const TURN = "On second thought, forget about Redis. Use Postgres for the queue.";

test.each([
  ["We will use Redis for the queue, because it is fast.", "OK, I will use Redis for the queue.", TURN],
  ["Set the timeout to 30 seconds.", "Done. The timeout is set to 30 seconds.", "Make it 60 seconds."],
])("what only repeats words that gave way falls with them: %s", (before, repeated, after) => {
  const text = briefOf("Let's build a job service.", "Which parts?", before, repeated, after, "I changed it.");
  expect(text).not.toMatch(/use Redis for the queue|30 seconds/);
  expect(briefOf("Let's build a job service.", "Which parts?", before, repeated)).toMatch(/use Redis for the queue|30 seconds/);
});

test("the facts that the assistant made of such words fall, too, and explain tells by what", () => {
  const told: string[] = [];
  const messages = [
    "Let's build a job service.",
    "Which parts?",
    "The timeout is 30 seconds.",
    "Decision: the timeout is 30 seconds.",
    "The timeout is 60 seconds.",
    "Ok.",
  ].map((text, index): Message => ({ id: `m${index}`, role: index % 2 === 0 ? "user" : "assistant", text, toolCalls: [] }));
  const { continuation } = extract({ id: "s", format: "neutral", messages }, rules, {
    trace: ({ outcome, why, evidence }) => outcome === "superseded" && told.push(`${evidence.source} by ${why}`),
  });
  expect(continuation.items.filter(({ text }) => text.includes("30 seconds")).map(({ status }) => status)).toEqual([
    "superseded",
  ]);
  expect(told).toContain("m3 by m4:0");
});

test("what says more than that stays, and so does what is said after it", () => {
  const more = "I will use Redis for the queue and the importer keeps its table of columns.";
  const later = "The Redis queue is gone.";
  const text = briefOf("We will use Redis for the queue.", more, TURN, later);
  expect(text).toContain("table of columns");
  expect(text).toContain(later.slice(0, -1));
});

test("an acknowledgement says nothing", () => {
  const text = briefOf("We use Bun here.", "OK.", "Never touch the public API.", "Sure, understood!", "Add a test.", "Got it.");
  expect(text).not.toMatch(/^(?:OK|Sure|Got it)/m);
});
