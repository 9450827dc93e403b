// How the time grows with the input: CPU milliseconds for a generator of hostile input, by size. Each generator has its own
// process, and sizes take turns in it, so that none pays for garbage of another. The best of several runs counts: the first
// ones are spent on compiling, and other load only adds time.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as hostile from "../../test/hostile/inputs.mjs";
import { cpu } from "./measure.mjs";

// One thread collects garbage: several threads cost more time on a busy machine.
const FLAGS = ["--single-threaded-gc"];
const KB = 1_000;
const file = fileURLToPath(import.meta.url);
/** Below a few milliseconds the clock is too coarse. */
const LEAST_MILLISECONDS = 5;
const WARM_ROUNDS = 4;
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 30;
/** A measurement of seconds needs few rounds. */
const MOST_MILLISECONDS = 40_000;

export const generators = Object.assign(
  {},
  ...Object.values(hostile).filter((value) => typeof Object.values(value ?? {})[0] === "function"),
);

/** The largest growth from one size to the next. */
export const growthOf = (times) =>
  Math.max(...times.slice(1).map((time, index) => time / Math.max(times[index], LEAST_MILLISECONDS)));

/** The average growth of a doubling: less noisy than single ones. */
export const averageOf = (times) => (times.at(-1) / Math.max(times[0], LEAST_MILLISECONDS)) ** (1 / (times.length - 1));

/** @param bar anything that seems to grow faster is measured again */
export function measureGrowth(name, sizes, bar) {
  const { stdout, status, stderr } = spawnSync(process.execPath, [...FLAGS, file, name, bar, ...sizes].map(String), {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name}: ${status} ${stderr}`);
  return JSON.parse(stdout);
}

if (process.argv[1] === file) {
  const { builtInRules, extract } = await import("#dist/index.js");
  const { toSession } = await import("./corpus.mjs");
  const [name = "", bar, ...sizes] = process.argv.slice(2);
  const { rules } = builtInRules();
  const inputs = sizes.map((size) => {
    const made = generators[name](Number(size) * KB);
    return typeof made === "string" ? [{ role: "user", text: made }] : made;
  });
  // Texts are split once for each rule set. A fresh copy makes every run the first one.
  const first = (input) => extract(toSession(input), { ...rules, abbreviations: [...rules.abbreviations] });
  // The engine compiles for a long time; warm up, so that it is not mistaken for growth.
  for (let round = 0; round < WARM_ROUNDS; round++) first(inputs.at(-1));
  const times = inputs.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + MOST_MILLISECONDS;
  const isUnsure = () => performance.now() < end && growthOf(times) > Number(bar);
  for (let round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && isUnsure()); round++) {
    for (const [index, time] of times.entries())
      times[index] = Math.min(
        time,
        cpu(() => first(inputs[index])),
      );
  }
  console.log(JSON.stringify(times));
}
