import { expect, test } from "vitest";
import { decide, type Surroundings } from "../../src/guards/decide.js";
import type { Guard } from "../../src/rules/guard.js";

const met = (id: string, does: Guard["does"]) => ({ guard: { id, does, say: id } as Guard, what: "x" });
const here: Surroundings = { asks: true, stores: true };
const NOTHING = { spoken: {}, untrusted: 0 };

test("tells once in a session, beside the result", () => {
  const first = decide([met("a", "tell")], NOTHING, here);
  expect(first).toMatchObject({ call: "run", tell: [{ guard: { id: "a" } }], spoken: { a: { tell: 1 } } });
  expect(decide([met("a", "tell")], first, here).tell).toEqual([]);
});

test("refuses once and lets the next call run", () => {
  const first = decide([met("a", "once")], NOTHING, here);
  expect(first.call).toBe("refuse");
  expect(decide([met("a", "once")], first, here).call).toBe("run");
});

test("asks where somebody is there, and refuses where nobody is", () => {
  expect(decide([met("a", "ask")], NOTHING, here).call).toBe("ask");
  expect(decide([met("a", "ask")], NOTHING, { ...here, asks: false }).call).toBe("refuse");
});

test("the strictest guard decides, and a refused call is told nothing beside the reason", () => {
  const both = decide([met("a", "tell"), met("b", "ask"), met("c", "refuse")], NOTHING, here);
  expect(both).toMatchObject({ call: "refuse", because: [{ guard: { id: "c" } }], tell: [] });
  expect(Object.keys(both.spoken)).toEqual(["c"]);
});

const foreign = (id: string, say = id) => ({
  guard: { id, does: "refuse", say, untrusted: true, of: { files: [], name: "team.yaml" } } as unknown as Guard,
  what: "x",
});

test("a guard of a pack that nobody trusts only tells", () => {
  expect(decide([foreign("a")], NOTHING, here)).toMatchObject({ call: "run", tell: [{ guard: { id: "a" } }] });
});

test("what untrusted guards say has a limit at each call and in a session, and the user's own have none", () => {
  const all = [
    ...Array.from({ length: 800 }, (_, index) => foreign(`a${index}`, `${index} ${"x".repeat(390)}`)),
    met("own", "tell"),
  ];
  let heard: { spoken: object; untrusted: number } = NOTHING;
  let said = 0;
  for (let call = 0; call < 50; call++) {
    const decision = decide(all, heard as typeof NOTHING, here);
    const told = decision.tell.filter(({ guard }) => guard.untrusted).map(({ guard }) => guard.say);
    expect(told.join("").length).toBeLessThanOrEqual(1_000);
    expect(decision.tell.some(({ guard }) => guard.id === "own")).toBe(call === 0);
    said += told.join("").length;
    heard = decision;
  }
  expect(said).toBeGreaterThan(3_000);
  expect(said).toBeLessThanOrEqual(4_000);
});

test("counts a sentence of signs as long as it is when it is quoted", () => {
  const all = Array.from({ length: 5 }, (_, index) => foreign(`a${index}`, `${index}${'"'.repeat(399)}`));
  expect(decide(all, NOTHING, here).tell).toHaveLength(1);
});

test("says nothing untrusted if it cannot be counted", () => {
  expect(decide([foreign("a"), met("own", "tell")], NOTHING, { ...here, stores: false }).tell).toMatchObject([
    { guard: { id: "own" } },
  ]);
});
