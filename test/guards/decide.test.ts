import { expect, test } from "vitest";
import { decide, type Surroundings } from "../../src/guards/decide.js";
import type { Guard } from "../../src/rules/guard.js";

const met = (id: string, does: Guard["does"]) => ({ guard: { id, does, say: id } as Guard, what: "x" });
const here: Surroundings = { asks: true, isTrusted: () => true };

test("tells once in a session, beside the result", () => {
  const first = decide([met("a", "tell")], {}, here);
  expect(first).toMatchObject({ call: "run", tell: [{ guard: { id: "a" } }], spoken: { a: { tell: 1 } } });
  expect(decide([met("a", "tell")], first.spoken, here).tell).toEqual([]);
});

test("refuses once and lets the next call run", () => {
  const first = decide([met("a", "once")], {}, here);
  expect(first.call).toBe("refuse");
  expect(decide([met("a", "once")], first.spoken, here).call).toBe("run");
});

test("asks where somebody is there, and refuses where nobody is", () => {
  expect(decide([met("a", "ask")], {}, here).call).toBe("ask");
  expect(decide([met("a", "ask")], {}, { ...here, asks: false }).call).toBe("refuse");
});

test("the strictest guard decides, and a refused call is told nothing beside the reason", () => {
  const both = decide([met("a", "tell"), met("b", "ask"), met("c", "refuse")], {}, here);
  expect(both).toMatchObject({ call: "refuse", because: [{ guard: { id: "c" } }], tell: [] });
  expect(Object.keys(both.spoken)).toEqual(["c"]);
});

test("a guard of a pack that nobody trusts only tells", () => {
  const decided = decide([met("a", "refuse")], {}, { ...here, isTrusted: () => false });
  expect(decided).toMatchObject({ call: "run", tell: [{ guard: { id: "a" } }] });
});
