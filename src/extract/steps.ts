// Work in steps, so that whoever has something else to do can pause it between two of them.
import { STEP_MILLISECONDS, STEP_PAUSE_MILLISECONDS } from "../limits.js";

export type Steps<T> = Generator<void, T>;

/** For those who have nothing else to do. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** For a host: others have their turn after each slice. */
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
