// One generator of hostile input: CPU milliseconds by size. A process of its own for each, so that none is measured with
// what others left behind.
import { builtInRules, extract } from "../../dist/index.js";
import * as hostile from "../../test/hostile/inputs.mjs";
import { toSession } from "./corpus.mjs";
import { cpu } from "./measure.mjs";

const [name, sizes = "25,50,100,200,400", rounds = "7"] = process.argv.slice(2);
export const generators = Object.assign(
  {},
  ...Object.values(hostile).filter((value) => typeof Object.values(value ?? {})[0] === "function"),
);
const { rules } = builtInRules();
const fresh = () => ({ ...rules, abbreviations: [...rules.abbreviations] });
const names = name === "all" ? Object.keys(generators) : [name];
for (const name of names) {
  const inputs = sizes.split(",").map((size) => [{ role: "user", text: generators[name](Number(size) * 1000) }]);
  const times = inputs.map(() => []);
  for (let round = 0; round < Number(rounds); round++)
    for (const [index, input] of inputs.entries()) times[index].push(cpu(() => extract(toSession(input), fresh())));
  const mid = times.map((own) => own.toSorted((a, b) => a - b)[own.length >> 1]);
  const least = times.map((own) => Math.min(...own));
  const ratios = (own) =>
    own
      .slice(1)
      .map((time, index) => (time / Math.max(own[index], 5)).toFixed(2))
      .join(" ");
  const shown = (own) => own.map((time) => time.toFixed(1)).join(" ");
  console.log(`${name.padEnd(34)} med ${shown(mid)} | ${ratios(mid)}   min ${shown(least)} | ${ratios(least)}`);
}
