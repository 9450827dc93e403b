import { expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();
const said = (...texts: readonly string[]) =>
  extract(
    {
      id: "s",
      format: "neutral",
      messages: texts.map(
        (text, index): Message => ({ id: `m${index}`, role: index % 2 === 0 ? "user" : "assistant", text, toolCalls: [] }),
      ),
    },
    rules,
  );
const kindsOf = (text: string) =>
  said("We mend the redo of the editor.", "Ok.", text)
    .continuation.items.filter(({ evidence }) => evidence.source === "m2")
    .map(({ kind }) => kind)
    .filter((kind) => ["decision", "constraint", "rejection"].includes(kind));

test.each([
  "This is working a lot better now!",
  "But sometimes after an undo, Redo does nothing.",
  "Still no errors, just no change.",
  "The crash does not always occur.",
  "And the same error still shows only in Safari.",
  "I'm not saying it must be every ten, I'm theorizing.",
])("how the program behaves is neither rule nor decision: %s", (text) => {
  expect(kindsOf(text)).toEqual([]);
});

test.each([
  "If the build is failing, stop and ask me first.",
  "The export must never block the UI.",
  "Always make sure that the error is shown only once.",
])("what is asked for stays one: %s", (text) => {
  expect(kindsOf(text)).toHaveLength(1);
});

const worth = (answer: string, reply: string, text: string) =>
  said("Mend the dev server.", answer, reply).statements.find((one) => one.text.includes(text))?.salience ?? 0;

test.each([
  "It still doesn't start, same error as before.",
  "Nope, that didn't work.",
  "I now get another error: the port is taken.",
  "TypeError: Cannot read properties of undefined",
])("a claim that the user refutes weighs little: %s", (reply) => {
  const answer = "I changed the loader in `dev.ts`. The dev server should work now.";
  const claim = "should work now";
  expect(worth(answer, reply, claim)).toBeLessThan(worth(answer, "Great, now write the tests for it.", claim) / 2);
  // What was done was done.
  expect(worth(answer, reply, "changed the loader")).toBeGreaterThan(worth(answer, reply, claim));
});

test("what is refuted is not done", () => {
  const done = (reply: string) =>
    said("Mend the dev server.", "I have now fixed the loader of the dev server.", reply).continuation.items.filter(
      ({ kind }) => kind === "done",
    );
  expect(done("Great.")).toHaveLength(1);
  expect(done("It is still not working.")).toEqual([]);
});

test.each([
  "FROM node:20-alpine AS builder",
  "D:\\shop>docker compose ps must run always",
  "➜  api git:(main) ✗ npm run dev",
  "mysql: image: mysql:8.0 container_name: db restart: always environment: HOST: db",
])("what a shell or a file says is not the user's rule: %s", (text) => {
  expect(kindsOf(text)).toEqual([]);
});
