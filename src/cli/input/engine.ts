// Sets V8 for the size of a session. Flags are read when code is compiled and memory collected, so they work at any time.
import { setFlagsFromString } from "node:v8";

/** Loading node:v8 takes as long as the flags save for less. */
const SMALL_SESSION_BYTES = 50_000;
/** From this size of a session file on, memory matters more than time. */
const LARGE_SESSION_BYTES = 16_000_000;
/** How much bytecode a function runs before it is optimised. With V8's 67,584, most of that is for a single use. */
const INTERRUPT_BUDGET = 2_000_000;
/** Percentage by which a small heap may grow before garbage collection. V8's default is a hundred and more. */
const HEAP_GROWTH_PERCENT = 5;

export function tuneFor(bytes: number): void {
  // Bun has another engine.
  if (process.versions.bun !== undefined || bytes < SMALL_SESSION_BYTES) return;
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  if (bytes < LARGE_SESSION_BYTES) return;
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Do not grow the young generation: it would fill any space.
  setFlagsFromString("--semi-space-growth-factor=1");
}
