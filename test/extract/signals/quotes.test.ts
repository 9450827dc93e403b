import { expect, test } from "vitest";
import { builtInRules, extract, render, type Session } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();
const CLAIM = "The worker always keeps the lock until the next restart, so we never lose a job.";
const OTHER = "We decided to use Postgres for the queue.";
const sessionOf = (answer: string, reply: string): Session => ({
  id: "s",
  format: "test",
  messages: [
    { id: "m0", role: "user", text: "How does the worker queue handle locks?", toolCalls: [] },
    { id: "m1", role: "assistant", text: answer, toolCalls: [] },
    { id: "m2", role: "user", text: reply, toolCalls: [] },
    { id: "m3", role: "assistant", text: "I will look again.", toolCalls: [] },
  ],
});
const extracted = (reply: string, answer = `${CLAIM} ${OTHER}`) => extract(sessionOf(answer, reply), rules);
const factsAt = (source: string, reply: string, answer?: string) =>
  extracted(reply, answer).continuation.items.flatMap(({ kind, text, evidence }) =>
    kind !== "goal" && evidence.source === source ? [text] : [],
  );

test.each([
  `${CLAIM}\n\nthis is not fully true, it loses jobs on a crash`,
  `> ${CLAIM}\n\nThat's wrong, it loses jobs on a crash.`,
  `You wrote: ${CLAIM}\n\nNo, that is not correct.`,
  `That is not true:\n\n${CLAIM}`,
  `${CLAIM.slice(0, -1)} - this is not correct.`,
  `I don't agree with: ${CLAIM}`,
  `"${CLAIM.slice(0, -1)}" - nobody needs that, it's wrong`,
  `${CLAIM}\n\n<- nope`,
  `> ${CLAIM}\n\nno, we never decided that`,
  `${CLAIM}\n\nWho told you that?`,
])("what is repeated to refute it is nobody's statement: %j", (reply) => {
  expect(factsAt("m2", reply).filter((text) => text.includes("keeps the lock"))).toEqual([]);
  expect(factsAt("m1", reply).filter((text) => text.includes("keeps the lock"))).toEqual([]);
});

test("what is said about a quotation in the same sentence is told, and is no fact", () => {
  const reply = `${CLAIM.slice(0, -1)} - this is not correct.`;
  const { continuation, statements } = extracted(reply);
  expect(continuation.items.filter(({ evidence }) => evidence.source === "m2")).toEqual([]);
  expect(statements.map(({ text }) => text)).toContain(reply);
});

test("words of the assistant that call something else wrong are not disputed by those who agree", () => {
  const answer = "The old default is wrong for most users, so we decided to use 30 days for it.";
  expect(factsAt("m1", `I agree - ${answer}`, answer)).not.toEqual([]);
  const right = "There is no wrong default - we decided to use 30 days for the sessions.";
  expect(factsAt("m1", `Can you clarify this:\n\n${right}`, right)).not.toEqual([]);
});

test("only the repeated sentence is disputed", () => {
  expect(factsAt("m1", `${CLAIM}\n\nthat's wrong`)).toEqual(["use Postgres for the queue"]);
});

test("marks in the original do not matter", () => {
  const answer = "The worker always keeps **the `lock`** until the next `restart`'s end, so we never lose a job.";
  const reply = "The worker always keeps the lock until the next restart's end, so we never lose a job.\n\nThat's not true.";
  expect(factsAt("m2", reply, answer).filter((text) => text.includes("keeps the lock"))).toEqual([]);
});

test("what is repeated without a word about it, or in few words, is the user's", () => {
  const answer = "We can keep the old queue until all the clients have moved, or drop it now.";
  const whole = extracted("Keep the old queue until all the clients have moved.", answer).continuation.items;
  expect(whole).toContainEqual(expect.objectContaining({ kind: "decision", by: "user" }));
  const short = extracted("Keep the old queue. It is not true that nobody uses it.", answer).continuation.items;
  expect(short).toContainEqual(expect.objectContaining({ kind: "decision", by: "user", text: "Keep the old queue" }));
});

test("a quotation is told only with what is said about it", () => {
  const reply = `${CLAIM}\n\nthis is not fully true, it loses jobs on a crash`;
  const { messages, ...rest } = sessionOf(CLAIM, reply);
  const more = [{ id: "m4", role: "user" as const, text: "Please fix that in the worker.", toolCalls: [] }];
  const brief = render(
    extract({ ...rest, messages: [...messages, ...more] }, rules),
    rules.templates.get("brief") as Template,
    rules,
  );
  expect(brief.text).toContain(`> "this is not fully true, it loses jobs on a crash" — to the assistant's "${CLAIM}"`);
  expect(brief.text.split("keeps the lock")).toHaveLength(2);
});
