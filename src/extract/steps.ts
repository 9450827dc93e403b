// Runs work in steps, so that a host can do other work in between.
import { STEP_MILLISECONDS, STEP_PAUSE_MILLISECONDS } from "../limits.js";

export type Steps<T> = Generator<void, T>;

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps in time slices, with a pause after each for the host's other work. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + STEP_MILLISECONDS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, STEP_PAUSE_MILLISECONDS));
  }
}
