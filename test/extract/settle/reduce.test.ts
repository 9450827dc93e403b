import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeItems, reduceItems } from "../../../src/extract/settle/reduce-items.js";
import type { Item } from "../../../src/index.js";

const isPlain = (word: string) => word === "use";
const rank = (source: string) => Number(source.slice(1));

const item: fc.Arbitrary<Item> = fc
  .record({
    kind: fc.constantFrom(
      "decision" as const,
      "rejection" as const,
      "note" as const,
      "concept" as const,
      "done" as const,
      "remaining" as const,
    ),
    text: fc.constantFrom("use SQLite", "USE  sqlite", "use Redis", "c++", "c#"),
    score: fc.constantFrom(0.3, 0.5, 0.8),
    about: fc.constantFrom("", "storage"),
    reason: fc.constantFrom("", "speed", "size"),
    source: fc.integer({ min: 0, max: 4 }),
    start: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ kind, text, score, about, reason, source, start }) => ({
    kind,
    text,
    fields: { ...(about && { about }), ...(reason && { reason }) },
    score,
    by: "user",
    status: "active",
    evidence: { source: `m${source}`, start, end: start + 1, quote: "x", rule: "r" },
    also: [],
  }));

test("merging is idempotent", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), (items) => {
      const once = reduceItems(items, rank, isPlain).items;
      expect(mergeItems(once, rank)).toEqual(once);
      expect(reduceItems(once, rank, isPlain).items).toEqual(once);
    }),
    { numRuns: 1_000 },
  );
});

test("merging does not depend on the order", () => {
  const shuffled = fc
    .array(item, { maxLength: 12 })
    .chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
  fc.assert(
    fc.property(shuffled, ([items, other]) => {
      expect(reduceItems(other, rank, isPlain).items).toEqual(reduceItems(items, rank, isPlain).items);
    }),
    { numRuns: 1_000 },
  );
});

test("merging loses no place", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), (items) => {
      const places = (list: readonly Item[]) =>
        new Set(
          list.flatMap(({ kind, evidence, also }) =>
            [evidence, ...also].map(({ source, start }) => `${kind} ${source} ${start}`),
          ),
        );
      expect(places(reduceItems(items, rank, isPlain).items)).toEqual(places(items));
    }),
  );
});
