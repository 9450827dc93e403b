import fc from "fast-check";
import { expect, test } from "vitest";
import { fitWeights, weighBy } from "./fit.mjs";

const row = (right: boolean, signals: Record<string, number>) => ({ right, signals: new Map(Object.entries(signals)) });

test("a signal of what is right weighs for it, one of what is wrong against it, and noise next to nothing", () => {
  const windows = [0, 1, 2].map(() =>
    Array.from({ length: 40 }, (_, index) => {
      const right = index % 4 === 0;
      return row(right, { all: 1, good: right ? 1 : 0, bad: right ? 0 : 1, noise: Math.floor(index / 4) % 2 });
    }),
  );
  const weights = fitWeights(windows, ["all", "good", "bad", "noise"], new Map());
  expect(weights.get("good")).toBeGreaterThan(0.5);
  expect(weights.get("bad")).toBeLessThan(-0.5);
  expect(Math.abs(weights.get("noise") ?? 1)).toBeLessThan(0.3);
});

test("what is fixed stays, and worth is between nothing and one", () => {
  const signals = fc.record({ a: fc.constantFrom(0, 1), b: fc.double({ min: 0, max: 1, noNaN: true }) });
  const window = fc.array(fc.tuple(fc.boolean(), signals), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 4 }), (windows) => {
      const rows = windows.map((one) => one.map(([right, held]) => row(right, held)));
      const weights = fitWeights(rows, ["a", "b"], new Map([["a", -3]]));
      expect(weights.get("a")).toBe(-3);
      for (const { signals: held } of rows.flat()) {
        expect(weighBy(weights, held)).toBeGreaterThan(0);
        expect(weighBy(weights, held)).toBeLessThan(1);
      }
    }),
  );
});
