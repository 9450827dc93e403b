// Runs work in steps, so that a host can do other work in between, and says when each stage has to end.
import { STEP_MILLISECONDS, STEP_PAUSE_MILLISECONDS } from "./limits.js";

export type Steps<T> = Generator<void, T>;

/** Is time up for a stage that may go on until this share of it is over? All of it, unless given. */
export type Late = (share?: number) => boolean;

/** The share of the time after which each stage stops, so that those behind it can finish what was found by then. Each does its
 * least even if time is up: a compaction with nothing at hand would lose everything. */
export const STAGES = {
  mask: 0.15,
  notes: 0.25,
  calls: 0.3,
  signals: 0.4,
  facts: 0.6,
  project: 0.65,
  settle: 0.7,
  weigh: 0.85,
} as const;

/** @param start when the time began, by `performance.now` */
export const lateIn =
  (milliseconds: number, start = performance.now()): Late =>
  (share = 1) =>
    performance.now() - start > share * milliseconds;

/** The order in which a text is read that may not be read to its end: its beginning says what it is about, its end where it is. */
export const firstAndNewest = <T>([first, ...rest]: readonly T[]): readonly T[] =>
  first === undefined ? [] : [first, ...rest.reverse()];

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps in time slices, with a pause after each for the host's other work. When time is up, there are no more pauses:
 * little is left to do, and a pause may last until nobody waits any more. */
export async function inSlices<T>(steps: Steps<T>, late?: Late): Promise<T> {
  for (;;) {
    const until = performance.now() + STEP_MILLISECONDS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until || late?.());
    await new Promise((resolve) => setTimeout(resolve, STEP_PAUSE_MILLISECONDS));
  }
}

/** The result of the promise, or undefined as soon as somebody aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
