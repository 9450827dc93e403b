// Measuring: candidates take turns, so that all of them see the same machine. Medians are compared.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { known } from "../known.mjs";
import { median } from "../numbers.mjs";

/** CPU milliseconds of a call. */
export function cpu(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Medians of several tasks that take turns. */
export function byTurns(works, rounds, measure = cpu) {
  const times = works.map(() => []);
  for (let round = 0; round < rounds; round++) for (const [index, work] of works.entries()) times[index].push(measure(work));
  return times.map(median);
}

const usage = fileURLToPath(new URL("usage.cjs", import.meta.url));

/** Wall and CPU milliseconds and peak megabytes of a Node program; throws if it fails. Its output goes to pipes, as with agents. */
export function spend({ args, env, cwd, input = "" }) {
  const start = performance.now();
  const { status, stderr, output } = spawnSync(process.execPath, ["--require", usage, ...args], {
    env: { ...process.env, ...env },
    cwd,
    input,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(known(output[3], "what usage.cjs writes"));
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1_000, peak: maxRSS / 1_024 };
}
export const cpuOf = (program) => spend(program).cpu;
export const wallOf = (program) => spend(program).wall;
export const peakOf = (program) => spend(program).peak;
