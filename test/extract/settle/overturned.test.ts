import { expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();

type Said = readonly ["user" | "assistant", string];

const toMessages = (said: readonly Said[]) =>
  said.map(([role, text], index): Message => ({ id: `m${index + 1}`, role, text, toolCalls: [] }));

/** The facts of a session with what became of them. */
function factsOf(...said: readonly Said[]) {
  const { items } = extract({ id: "s", format: "neutral", messages: toMessages(said) }, rules).continuation;
  return items
    .filter(({ kind }) => kind !== "goal" && kind !== "note")
    .map(({ kind, text, status }) => `${status === "active" ? "" : "ended "}${kind}: ${text}`);
}

test("what the user does away with by its name ends what was chosen and done about it", () => {
  const facts = factsOf(
    ["user", "Make the start page nicer."],
    ["assistant", "Approach: add a weather widget in the header"],
    ["user", "ok"],
    ["assistant", "I've added the weather widget to `Header.tsx`."],
    ["assistant", "I've added the new footer to `Page.tsx`."],
    ["user", "actually remove the weather widget from the header"],
  );
  expect(facts).toContain("ended decision: add a weather widget in the header");
  expect(facts).toContain("ended done: I've added the weather widget to `Header.tsx`");
  expect(facts).toContain("done: I've added the new footer to `Page.tsx`");
  expect(facts).toContain("decision: actually remove the weather widget from the header");
});

test("what says the same, what only mentions it and what comes later stands", () => {
  const facts = factsOf(
    ["user", "Clean up the importer."],
    ["assistant", "I've removed the progress bar from the report page."],
    ["assistant", "I've moved the parser, the loader, the writer, the progress code and seven helpers into `src/importer`."],
    ["user", "please remove the progress bar"],
    ["assistant", "I've removed the progress bar from the importer."],
  );
  expect(facts.filter((fact) => fact.startsWith("ended"))).toEqual([]);
});

test.each([
  "don't use Redis any more",
  "Let's not use Redis.",
  "no Redis please",
  "There is no need for Redis.",
  "I don't like Redis, use memcached",
  "I don't like Redis, please change it to memcached",
  "can we get rid of Redis?",
  "use memcached instead of Redis",
])("who turns away from something in plain words ends what was decided about it: %s", (turn) => {
  const facts = factsOf(
    ["user", "Build the API."],
    ["user", "We'll use Redis for the session cache."],
    ["assistant", "I've set up Redis for the session cache."],
    ["user", "Always use Redis for sessions."],
    ["user", turn],
  );
  expect(facts).toContain("ended decision: use Redis for the session cache");
  expect(facts).toContain("ended done: I've set up Redis for the session cache");
  expect(facts).toContain("ended constraint: Always use Redis for sessions");
});

test.each([
  "don't use Redis for the queue",
  "let's not use Redis yet",
  "no need for Redis right now",
  "I don't like that Redis starts so slowly",
  "use memcached instead of Redis for the queue",
])("who turns away from a part of it, or for now, ends nothing: %s", (turn) => {
  const facts = factsOf(
    ["user", "Build the API."],
    ["user", "We'll use Redis for the session cache."],
    ["assistant", "I've set up Redis for the session cache."],
    ["user", turn],
  );
  expect(facts.filter((fact) => fact.startsWith("ended"))).toEqual([]);
});

test("what names another thing beside it, or speaks against it, stands", () => {
  const facts = factsOf(
    ["user", "Build the page."],
    ["assistant", "We decided to use `lodash` for the helpers and `zod` for the forms."],
    ["user", "Never use lodash because it is large."],
    ["user", "don't use lodash"],
  );
  expect(facts.filter((fact) => fact.startsWith("ended"))).toEqual([]);
});

test("a question whether to remove something removes nothing", () => {
  const facts = factsOf(
    ["user", "Make the start page nicer."],
    ["assistant", "Approach: add a weather widget in the header"],
    ["user", "should we remove the weather widget?"],
  );
  expect(facts).toContain("decision: add a weather widget in the header");
});

const OFFER: readonly Said[] = [
  ["user", "The export is too slow, make it fast."],
  [
    "assistant",
    "There are three ways:\n\n1. Write the rows in batches and raise the timeout.\n2. Use a message queue, so that workers write.\n3. Cache the report data - keep it for an hour.\n\nWhich one do you want?",
  ],
  ["user", "2"],
];

test("options that were not taken are ruled out while the choice stands", () => {
  expect(factsOf(...OFFER)).toEqual([
    "rejection: Write the rows in batches and raise the timeout",
    "decision: Use a message queue, so that workers write",
    "rejection: Cache the report data - keep it for an hour",
  ]);
});

test("the assistant takes back what it found", () => {
  const facts = factsOf(
    ["user", "The sync has been failing since Monday, find out why."],
    ["assistant", "The root cause is the retry queue: it is full because nobody drains it."],
    ["assistant", "The clock of the second node is five minutes late because its time server is gone."],
    ["user", "are you sure?"],
    ["assistant", "You're right, that was wrong. The retry queue is not the problem."],
  );
  expect(facts).toContain("ended finding: The root cause is the retry queue: it is full because nobody drains it");
  expect(facts.filter((fact) => fact.startsWith("ended"))).toHaveLength(1);
});

test("who owns up to an error means the finding that is named again", () => {
  const facts = factsOf(
    ["user", "Why does the login fail?"],
    ["assistant", "I found that the session cookie is dropped by the proxy."],
    ["assistant", "I found that the audit table has no index on the date."],
    ["assistant", "I was wrong: the session cookie passes the proxy untouched."],
  );
  expect(facts).toContain("ended finding: the session cookie is dropped by the proxy.");
  expect(facts).toContain("finding: the audit table has no index on the date.");
});

test("what was ended is told with its reason, and is not said in a brief", () => {
  const why: string[] = [];
  const messages = toMessages([
    ["user", "Make the start page nicer."],
    ["assistant", "I've added the weather widget to `Header.tsx`."],
    ["user", "remove the weather widget"],
  ]);
  const { statements } = extract({ id: "s", format: "neutral", messages }, rules, {
    trace: (one) => one.outcome === "superseded" && why.push(`${one.rule} ${one.why}`),
  });
  expect(why).toEqual(["done-claimed m3:0"]);
  expect(statements.find(({ source }) => source === "m2")?.salience).toBe(0);
});
