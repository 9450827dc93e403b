// A fact in its own words inside a sentence: what stands around it may deny the whole of it, or something else.
import fc from "fast-check";
import { expect, test } from "vitest";
import { judged } from "./judged.js";

const FACTS = [
  "user sessions are stored in Redis with a TTL of 30 minutes",
  "the importer reads at most 40 rows at a time",
  "uploads go through `scan.ts`",
  "we are not going to move the ledger to Kafka",
];
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const DENYING = [
  (fact: string) => `That ${fact} turned out, on a second look, not to be so.`,
  (fact: string) => `That ${fact} was a rule which does not hold any more.`,
  (fact: string) => `It is, since the meeting, no longer the case that ${fact}.`,
  (fact: string) => `The idea that ${fact} is not what we want any more.`,
  (fact: string) => `Nobody says any longer that ${fact}.`,
];
const TELLING = [
  (fact: string) => `We agreed that ${fact}.`,
  (fact: string) => `${upper(fact)}.`,
  (fact: string) => `Settled with the team: ${fact}.`,
];

test("what is denied as a whole is never certified, in whatever words the fact is", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FACTS), fc.constantFrom(...DENYING), (fact, deny) => {
      expect(judged(upper(fact), deny(fact))).not.toBe("kept");
    }),
  );
});

test("what is only reported is kept", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FACTS), fc.constantFrom(...TELLING), (fact, tell) => {
      expect(judged(upper(fact), tell(fact))).toBe("kept");
    }),
  );
});

test("a rival that takes its place is never certified", () => {
  expect(judged("User sessions are stored in Redis", "User sessions are stored in Redis, which is no longer wanted.")).toBe(
    "unsure",
  );
  expect(judged("User sessions are stored in Redis", "User sessions are stored in Postgres, not in Redis.")).not.toBe("kept");
});

test("who gives up a thing does not keep it", () => {
  expect(judged("The worker keeps its lease of 30 s", "The worker gives up its lease of 30 s.")).not.toBe("kept");
  expect(judged("The worker keeps its lease of 30 s", "The worker loses its lease of 30 s.")).not.toBe("kept");
});

test("what was first blamed is not the cause", () => {
  const fact = "The stall comes from `flush_all`, which takes 9 of 10 ms";
  expect(judged(fact, "The stall was first blamed on `flush_all` and its 9 of 10 ms; it comes from the disk instead.")).not.toBe(
    "kept",
  );
});
