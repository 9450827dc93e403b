// How much memory the process takes beyond what it holds.
import { setFlagsFromString } from "node:v8";
import { HEAP_GROWTH_PERCENT } from "../limits.js";

/** For speed V8 lets a heap grow to a multiple of what is in it. Of a large session that is much memory for little time. */
export function keepHeapSmall(): void {
  // Bun has another engine.
  if (process.versions.bun !== undefined) return;
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // What is young keeps the room that it has: it would fill any.
  setFlagsFromString("--semi-space-growth-factor=1");
}
