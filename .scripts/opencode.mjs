// Plays the scenarios of test/e2e in a real OpenCode, offline. `npm run test:opencode -- NAME…` plays only those whose
// name begins with NAME; COMPACTION_PLUGIN names another plugin file than the built one.
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { killAll } from "../test/e2e/opencode.mjs";
import { openReport } from "../test/e2e/report.mjs";
import { openWorld } from "../test/e2e/world.mjs";
import { opencodeBinary } from "./opencode-binary.mjs";

/** For all scenarios: one that hangs must not block CI. */
const WATCHDOG_MILLISECONDS = 1_800_000;
const AT_A_TIME = 2;

const root = fileURLToPath(new URL("../", import.meta.url));
process.on("exit", killAll);
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(130));
setTimeout(() => {
  console.error(`FAIL  not done after ${WATCHDOG_MILLISECONDS / 1_000} s`);
  process.exit(1);
}, WATCHDOG_MILLISECONDS).unref();

const binary = opencodeBinary();
if (binary === undefined) process.exit(0);
const plugin = resolve(process.env.COMPACTION_PLUGIN ?? `${root}dist/server.js`);
if (!existsSync(plugin)) throw new Error(`there is no ${plugin}: build first`);

const folder = new URL("../test/e2e/scenarios/", import.meta.url);
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .sort()
  .filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));
const scenarios = await Promise.all(names.map((name) => import(new URL(name, folder).href)));

async function play({ name, play }) {
  const report = openReport(name);
  const worlds = [];
  const open = async (options) => {
    const world = await openWorld(binary, options);
    worlds.push(world);
    return world;
  };
  const start = performance.now();
  try {
    await play({ plugin, root, open, report });
  } catch (error) {
    report.check("the scenario can be played to its end", false, error.stack ?? error);
  }
  for (const world of worlds) await world.close();
  const holds = report.print((performance.now() - start) / 1_000);
  return { name, holds, checks: report.count, failed: report.failed };
}

const began = performance.now();
const results = [];
const together = scenarios.filter(({ alone }) => !alone);
const next = async () => {
  for (let scenario = together.shift(); scenario; scenario = together.shift()) results.push(await play(scenario));
};
await Promise.all(Array.from({ length: AT_A_TIME }, next));
// Scenarios that measure time run alone.
for (const scenario of scenarios.filter(({ alone }) => alone)) results.push(await play(scenario));

const sum = (field) => results.reduce((total, result) => total + result[field], 0);
const bad = results.filter(({ holds }) => !holds).map(({ name }) => name);
const seconds = Math.round((performance.now() - began) / 1_000);
console.log(`\n${sum("checks") - sum("failed")} of ${sum("checks")} checks in ${results.length} scenarios hold, ${seconds} s`);
if (bad.length > 0) console.log(`FAIL  ${bad.join("; ")}`);
process.exit(bad.length > 0 ? 1 : 0);
