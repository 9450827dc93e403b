import fc from "fast-check";
import { expect, test } from "vitest";
import { createHeap } from "../../src/render/heap.js";

test("what comes first of worths that shrink when looked at is what comes first of all", () => {
  const worths = fc.array(fc.record({ known: fc.integer({ min: 0, max: 9 }), less: fc.integer({ min: 0, max: 3 }) }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(worths, (given) => {
      const all = given.map(({ known, less }, place) => ({ worth: Number.POSITIVE_INFINITY, real: known - less, place }));
      const heap = createHeap(all, (a, b) => a.worth > b.worth || (a.worth === b.worth && a.place < b.place));
      const taken: number[] = [];
      for (let top = heap.top(); top; top = heap.top()) {
        top.worth = top.real;
        heap.sink();
        if (heap.top() !== top) continue;
        heap.take();
        taken.push(top.place);
      }
      const sorted = [...all].sort((a, b) => b.real - a.real || a.place - b.place);
      expect(taken).toEqual(sorted.map(({ place }) => place));
    }),
  );
});
