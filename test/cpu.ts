// CPU time of this process: other programs lengthen it less than the time that passes.

/** What the work takes, in milliseconds. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return cpuTimeSince(before);
}

export function cpuTimeSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const TRIES = 3;

/**
 * The least of a few measures, or the first that is less than it may be: other programs slow work down, and nothing speeds it
 * up. Texts are cached, so each try needs one of its own.
 */
export async function leastOf(most: number, measure: (tried: number) => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES && least >= most; tried++) least = Math.min(least, await measure(tried));
  return least;
}

/** The least CPU time of a few tries. */
export function leastTime(most: number, work: (tried: number) => unknown): Promise<number> {
  return leastOf(most, (tried) => cpuTime(() => work(tried)));
}
