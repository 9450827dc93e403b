import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createReadAhead } from "../../src/hosts/opencode/history.js";
import { AHEAD_MESSAGES, AHEAD_SLICE_MILLISECONDS } from "../../src/limits.js";

/** Steps that are counted; each takes as long as it says. */
function counted(steps: number, milliseconds = 0) {
  const count = { done: 0, ended: false };
  function* begin() {
    for (let step = 0; step < steps; step++) {
      const until = Date.now() + milliseconds;
      while (Date.now() < until);
      count.done++;
      yield;
    }
    count.ended = true;
  }
  return { count, begin };
}

async function until(holds: () => boolean): Promise<void> {
  for (let left = 1_000; left > 0 && !holds(); left--) await wait(5);
}

test("a long session is read to its end, and others have their turn in between", async () => {
  const { count, begin } = counted(20, AHEAD_SLICE_MILLISECONDS / 2);
  const ahead = createReadAhead();
  ahead.offer("s", AHEAD_MESSAGES, begin);
  expect(count.done).toBe(0);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await until(() => count.ended);
  clearInterval(timer);
  expect(count).toEqual({ done: 20, ended: true });
  expect(turns).toBeGreaterThan(2);
});

test("does not read ahead when there are few new messages", async () => {
  const ahead = createReadAhead();
  const first = counted(1);
  ahead.offer("s", AHEAD_MESSAGES - 1, first.begin);
  const second = counted(1);
  ahead.offer("s", AHEAD_MESSAGES, second.begin);
  await until(() => second.count.ended);
  const third = counted(1);
  ahead.offer("s", 2 * AHEAD_MESSAGES - 1, third.begin);
  await wait(30);
  expect([first.count.ended, second.count.ended, third.count.ended]).toEqual([false, true, false]);
});

test("it gives way to a compaction, and to a newer request", async () => {
  const ahead = createReadAhead();
  const old = counted(1_000, 1);
  ahead.offer("s", AHEAD_MESSAGES, old.begin);
  await until(() => old.count.done > 0);
  ahead.stop();
  const { done } = old.count;
  await wait(30);
  expect(old.count).toEqual({ done, ended: false });
  const newer = counted(3);
  ahead.offer("t", AHEAD_MESSAGES, newer.begin);
  await until(() => newer.count.ended);
  expect(newer.count.ended).toBe(true);
});

test("ignores errors while reading ahead", async () => {
  const ahead = createReadAhead();
  ahead.offer("s", AHEAD_MESSAGES, () => {
    throw new Error("not readable");
  });
  await wait(20);
  const next = counted(1);
  ahead.offer("t", AHEAD_MESSAGES, next.begin);
  await until(() => next.count.ended);
  expect(next.count.ended).toBe(true);
});
