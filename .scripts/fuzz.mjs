// Runs the fuzzers of test/fuzz for a given time: `npm run fuzz -- --seconds 60 [--seed N] [NAME…]`. A fuzzer is a file that
// exports `name` and `run(random, deadline)`. It throws if a property fails, and returns how many cases it tried, or that
// and what failed.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "30" }, seed: { type: "string" } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seed) || !(seconds > 0)) throw new Error("--seconds and --seed are numbers");

/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
function createRandom(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const folder = new URL("../test/fuzz/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".mjs") && !name.startsWith("_"));
const fuzzers = await Promise.all(files.sort().map((name) => import(new URL(name, folder).href)));
// Files without `run` are helpers.
const wanted = fuzzers.filter(({ name, run }) => run && (positionals.length === 0 || positionals.includes(name)));
console.log(`seed ${seed}, ${seconds} s for ${wanted.length} fuzzers`);
let failed = false;
for (const { name, run } of wanted) {
  const deadline = Date.now() + (seconds * 1_000) / wanted.length;
  try {
    const outcome = await run(createRandom(seed), deadline);
    const { cases, failures } = typeof outcome === "number" ? { cases: outcome, failures: [] } : outcome;
    console.log(`${name}: ${cases} cases`);
    if (failures.length > 0) throw new Error(failures.map((text) => JSON.stringify(text)).join("\n"));
  } catch (error) {
    failed = true;
    console.error(`FAIL ${name} (seed ${seed}): ${error instanceof Error ? error.stack : error}`);
  }
}
process.exit(failed ? 1 : 0);
