// A clock that is set back must not silence a hook: what was stored with a later time is old, not new.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimEvent, isAnsweredInside } from "../../src/state/claim-event.js";
import { takeLock } from "../../src/state/lock.js";

const HOUR = 3_600_000;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-clock-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("answers the next compaction when the clock was set back after the last one", () => {
  const event = { session: "s1", event: "PreCompact", mark: "m1" };
  const now = Date.now();
  expect(claimEvent({ ...event, time: now }, folder)).toBe(true);
  expect(claimEvent({ ...event, time: now + 1_000 }, folder)).toBe(false);
  expect(claimEvent({ ...event, time: now - HOUR }, folder)).toBe(true);
});

test("answers as a command when a hook inside the agent answered before the clock was set back", () => {
  const now = Date.now();
  claimEvent({ session: "s2", event: "PreCompact", mark: "m1", time: now, inside: true }, folder);
  expect(isAnsweredInside("s2", "PreCompact", now + 1_000, folder)).toBe(true);
  expect(isAnsweredInside("s2", "PreCompact", now - HOUR, folder)).toBe(false);
});

test("takes over the lock of a dead process when its file is of the future", () => {
  const file = join(folder, "x.lock");
  writeFileSync(file, "999999999 dead");
  const later = new Date(Date.now() + HOUR);
  utimesSync(file, later, later);
  const lock = takeLock(file);
  expect(lock.holds()).toBe(true);
  lock.release();
});
