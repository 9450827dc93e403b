// A process that is killed in the midst of storing leaves the old value or the new one, whole.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expireState, readState } from "../../src/state/state.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-killed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const counter = fileURLToPath(new URL("counter.mjs", import.meta.url));
/** Side by side, each with a file of its own: whoever comes after a kill waits a second for the lock that it left. */
const LANES = 8;
const KILLS = 25;

/** The same delays in each run (a linear congruential generator). */
function delays(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * 30;
  };
}

interface Counted {
  readonly version: 1;
  readonly count: number;
  readonly filler: string;
}

async function lane(name: string, next: () => number): Promise<readonly number[]> {
  const seen: number[] = [];
  let stored = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [counter, name, folder], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    await once(child.stdout, "data");
    await new Promise((done) => setTimeout(done, next()));
    child.kill("SIGKILL");
    await once(child, "close");
    const { value, broken } = readState(name, folder);
    expect(broken).toBeUndefined();
    const { count, filler } = value as Counted;
    // Whole: as long as its number says.
    expect(filler).toBe(String(count % 10).repeat(200_000));
    // What the child said it had stored is stored; the one that it was at may be.
    const told = Number(said.trim().split("\n").at(-1));
    expect([told, told + 1]).toContain(count);
    expect(count).toBeGreaterThan(stored);
    stored = count;
    seen.push(count);
  }
  return seen;
}

test.skipIf(process.platform === "win32")("killed 200 times", { timeout: 300_000 }, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, index) => lane(`lane-${index}`, delays(index + 1))));
  expect(lanes.flat()).toHaveLength(200);
  // What the killed left beside the files is no more than a draft and a lock for each, and goes with time.
  expect(readdirSync(folder).length).toBeLessThanOrEqual(LANES * (1 + KILLS * 2));
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of readdirSync(folder)) if (!name.endsWith(".json")) utimesSync(join(folder, name), old, old);
  expireState(90, folder);
  expect(readdirSync(folder).sort()).toEqual(lanes.map((_, index) => `lane-${index}.json`));
});
