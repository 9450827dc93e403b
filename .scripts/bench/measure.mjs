// Measuring: candidates take turns, so that all of them see the same machine. Medians are compared.
import { spawnSync } from "node:child_process";

/** CPU milliseconds of a call. */
export function cpu(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Medians of several tasks that take turns. */
export function byTurns(works, rounds, measure = cpu) {
  const times = works.map(() => []);
  for (let round = 0; round < rounds; round++) for (const [index, work] of works.entries()) times[index].push(measure(work));
  return times.map(median);
}

/** Wall milliseconds of a program; throws if it fails. */
export function wall({ args, env, cwd }) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env },
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
  return time;
}

/** Peak memory of a Node program, in megabytes. */
export function peak({ args, env, cwd }) {
  const say = "data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))";
  const { status, stderr } = spawnSync(process.execPath, ["--import", say, ...args], {
    env: { ...process.env, ...env },
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const found = /peak (\d+)$/.exec(stderr)?.[1];
  if (status !== 0 || found === undefined) throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
  return Number(found) / 1_024;
}
