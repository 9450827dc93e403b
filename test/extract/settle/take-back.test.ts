import { expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();

function statusOf(kindOf: string, ...texts: readonly string[]) {
  const messages = texts.flatMap((text, index): Message[] => [
    { id: `u${index}`, role: "user", text, toolCalls: [] },
    { id: `a${index}`, role: "assistant", text: "Ok.", toolCalls: [] },
  ]);
  return extract({ id: "s", format: "neutral", messages }, rules)
    .continuation.items.filter(({ kind }) => kind === kindOf)
    .map(({ evidence, status }) => `${evidence.source} ${status}`);
}

test("that is what was said last: in the same message, or in the one before", () => {
  expect(statusOf("decision", "Hello there.", "Let's use Redis for the queue. Scratch that.")).toEqual(["u1 superseded"]);
  expect(statusOf("decision", "Hello there.", "Let's use Redis for the queue.", "Forget that.")).toEqual(["u1 superseded"]);
});

test("what stands further back is not meant", () => {
  const texts = ["Hello there.", "Let's use Redis for the queue.", "The page looks odd.", "Never mind."];
  expect(statusOf("decision", ...texts)).toEqual(["u1 active"]);
});

test("the earlier one stands in an earlier message", () => {
  const told = "Let's use Redis for the queue.";
  expect(statusOf("decision", "Hello there.", told, "Let's keep the log small. Forget my last message.")).toEqual([
    "u1 superseded",
    "u2 active",
  ]);
});

test("who says it twice takes one thing back", () => {
  const told = "Let's use Redis for the queue. Let's keep the log small.";
  expect(statusOf("decision", "Hello there.", told, "Scratch that. Forget it.")).toEqual(["u1 active", "u1 superseded"]);
});

test("the assistant's choices are not the user's to take back, and a warning is no taking back", () => {
  expect(statusOf("decision", "Hello there.", "Let's use Redis for the queue.", "Do not forget that.")).toEqual(["u1 active"]);
});

test("what the assistant said again is taken back with the user's own words", () => {
  const messages = [
    "Hello there.",
    "Hello.",
    "Let's use Redis for the queue.",
    "We decided to use Redis for the queue.",
    "Scratch that.",
    "Ok.",
  ].map((text, index): Message => ({ id: `m${index}`, role: index % 2 === 0 ? "user" : "assistant", text, toolCalls: [] }));
  const { items } = extract({ id: "s", format: "neutral", messages }, rules).continuation;
  const decisions = items.filter(({ kind }) => kind === "decision");
  expect(decisions.map(({ text, status }) => `${status}: ${text}`)).toEqual(["superseded: use Redis for the queue"]);
});
