// A decision that is renewed, dropped or replaced in other words ends the earlier one. What is about something else does not.
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();
type Said = readonly [role: "user" | "assistant", text: string];

/** The choices of a session, with what became of them. */
function choicesOf(...said: readonly Said[]) {
  const turns: readonly Said[] = [["user", "Please build the service as planned."], ...said, ["assistant", "Noted."]];
  const messages = turns.map(([role, text], at): Message => ({ id: `m${at}`, role, text, toolCalls: [] }));
  return extract({ id: "s", format: "test", messages }, rules).continuation.items.flatMap(({ kind, status, text, evidence }) =>
    (kind === "decision" || kind === "rejection") && evidence.source !== "m0" ? [`${status} ${kind}: ${text}`] : [],
  );
}
const TALK: readonly Said[] = [
  ["assistant", "The schema is written and the tests run in two minutes."],
  ["user", "Ok, show me the result."],
];
const firstOf = (before: string, by: Said[0], after: string) =>
  choicesOf(["assistant", before], ...TALK, [by, after]).filter((one) => one.includes("active decision"));

describe("ends the earlier decision", () => {
  test.each([
    [
      "We decided to use Redis for the session cache.",
      "assistant",
      "After the load test we decided against Redis for the session cache.",
      [],
    ],
    ["We decided to use Redis for the job queue.", "assistant", "We decided against Redis.", []],
    [
      "We decided to store the invoices in MongoDB.",
      "assistant",
      "On reflection, we decided to store the invoices in Postgres instead.",
      ["store the invoices in Postgres"],
    ],
    [
      "We chose RabbitMQ for the event bus.",
      "assistant",
      "After the spike we picked NATS for the event bus instead.",
      ["NATS for the event bus"],
    ],
    ["We decided to use moment.js for the dates.", "assistant", "We switched to date-fns.", ["date-fns"]],
    ["We decided to go with a monorepo.", "user", "Separate repos instead, please.", ["Separate repos instead, please"]],
    [
      "We decided to use Spanner for the ledger.",
      "user",
      "No, take CockroachDB for the ledger instead.",
      ["take CockroachDB for the ledger"],
    ],
    [
      "We have chosen Kafka as the message broker.",
      "assistant",
      "We have now chosen Pulsar as the message broker.",
      ["Pulsar as the message broker"],
    ],
    [
      "We settled on Tailwind for the styling.",
      "assistant",
      "We've since moved to CSS modules for the styling.",
      ["CSS modules for the styling"],
    ],
    [
      "I decided to write the parser by hand.",
      "assistant",
      "I've decided to generate the parser with Peggy instead.",
      ["generate the parser with Peggy"],
    ],
    ["We decided to cache the prices for an hour.", "assistant", "In the end we decided not to cache the prices.", []],
    ["We agreed on trunk-based development.", "assistant", "We've abandoned trunk-based development.", []],
  ] as const)("%j: %s: %j", (before, by, after, active) => {
    expect(firstOf(before, by, after)).toEqual(active.map((text) => `active decision: ${text}`));
  });
});

describe("keeps the earlier decision", () => {
  test.each([
    ["We decided to use Redis for the session cache.", "assistant", "We decided against Redis for the audit log."],
    [
      "We decided to use Redis for the session cache.",
      "assistant",
      'The README says "we switched to Memcached for the session cache".',
    ],
    [
      "We decided to use Redis for the session cache.",
      "assistant",
      "The billing team decided to use Hazelcast for the session cache instead.",
    ],
    ["We decided to use Redis for the session cache.", "assistant", "If it gets slow, we decided to use Postgres instead."],
    ["We decided to use Redis for the session cache.", "user", "Should we use Postgres for the session cache instead?"],
    ["We chose Redis for performance.", "assistant", "We chose Rust for performance."],
    ["We chose S3 for the uploads.", "assistant", "For local development we picked the disk for the uploads."],
    ["We chose RabbitMQ for the event bus.", "assistant", "We picked NATS for the telemetry instead of RabbitMQ."],
    ["We decided to go with a monorepo.", "assistant", "We switched to the main branch."],
    ["We chose Cypress for the end-to-end tests.", "assistant", "We chose Vitest for the unit tests instead."],
  ] as const)("%j: %s: %j", (before, by, after) => {
    const [first] = choicesOf(["assistant", before]);
    expect(choicesOf(["assistant", before], ...TALK, [by, after])).toContain(first);
  });
});

test("thirty approvals are no decisions and push none out", () => {
  const approvals = [
    "Fine, go on with the header.",
    "Fine. Now the footer.",
    "Perfect, thanks, go ahead with the form.",
    "Looks good, move on to the tests.",
    "Got it, next: the login page.",
    "ok, keep going",
  ];
  const said = Array.from({ length: 30 }, (_, at): Said => ["user", approvals[at % approvals.length] as string]);
  const found = choicesOf(["assistant", "We decided to use Redis for the session cache."], ...said);
  expect(found).toEqual(["active decision: use Redis for the session cache"]);
});

test("a reason that names a purpose is no part of the choice", () => {
  const messages = [
    { id: "m0", role: "assistant" as const, text: "We chose Redis because it is good for caches.", toolCalls: [] },
    { id: "m1", role: "assistant" as const, text: "We chose Varnish because it is made for caches.", toolCalls: [] },
  ];
  const { items } = extract({ id: "s", format: "test", messages }, rules).continuation;
  expect(items.map(({ status, text, fields }) => [status, text, fields.reason])).toEqual([
    ["active", "Redis", "it is good for caches"],
    ["active", "Varnish", "it is made for caches"],
  ]);
});
