// How the time grows with the input: CPU milliseconds for a generator of hostile input, by size. A process of its own for
// each generator, in which sizes are run by turns, so that none pays for what others have left behind. The best of several
// runs counts: the first ones are spent on compiling, and all that else happens on a machine only adds to the time.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as hostile from "../../test/hostile/inputs.mjs";
import { cpu } from "./measure.mjs";

// One thread collects: several that wait for each other take more time the busier the machine is.
const FLAGS = ["--single-threaded-gc"];
const KB = 1_000;
const file = fileURLToPath(import.meta.url);
/** Below a few milliseconds the clock decides. */
const LEAST_MILLISECONDS = 5;
const WARM_ROUNDS = 4;
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 30;
/** What takes seconds is told well by few rounds. */
const MOST_MILLISECONDS = 40_000;

export const generators = Object.assign(
  {},
  ...Object.values(hostile).filter((value) => typeof Object.values(value ?? {})[0] === "function"),
);

/** The most that a time grows by from one size to the next. */
export const growthOf = (times) =>
  Math.max(...times.slice(1).map((time, index) => time / Math.max(times[index], LEAST_MILLISECONDS)));

/** What each doubling takes if all take the same: where single ones are told by chance, this is not. */
export const averageOf = (times) => (times.at(-1) / Math.max(times[0], LEAST_MILLISECONDS)) ** (1 / (times.length - 1));

/** @param bar what seems to grow faster is measured again */
export function measureGrowth(name, sizes, bar) {
  const { stdout, status, stderr } = spawnSync(process.execPath, [...FLAGS, file, name, bar, ...sizes].map(String), {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name}: ${status} ${stderr}`);
  return JSON.parse(stdout);
}

if (process.argv[1] === file) {
  const { builtInRules, extract } = await import("../../dist/index.js");
  const { toSession } = await import("./corpus.mjs");
  const [name, bar, ...sizes] = process.argv.slice(2);
  const { rules } = builtInRules();
  const inputs = sizes.map((size) => {
    const made = generators[name](Number(size) * KB);
    return typeof made === "string" ? [{ role: "user", text: made }] : made;
  });
  // Texts are cut once for a rule set; what is measured is the first time.
  const first = (input) => extract(toSession(input), { ...rules, abbreviations: [...rules.abbreviations] });
  // The engine compiles for long: what falls to one size and not to the next would be taken for growth.
  for (let round = 0; round < WARM_ROUNDS; round++) first(inputs.at(-1));
  const times = inputs.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + MOST_MILLISECONDS;
  const isUnsure = () => performance.now() < end && growthOf(times) > Number(bar);
  for (let round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && isUnsure()); round++) {
    for (const [index, input] of inputs.entries())
      times[index] = Math.min(
        times[index],
        cpu(() => first(input)),
      );
  }
  console.log(JSON.stringify(times));
}
