// What of a memory lasts when a session is remembered anew.
import type { Memory } from "../keep/memory.js";

export const kept = (memory?: Memory): Partial<Memory> => ({
  ...(memory?.keepDays !== undefined && { keepDays: memory.keepDays }),
  ...(memory?.noted !== undefined && { noted: memory.noted }),
  ...(memory?.told && { told: memory.told }),
  ...(memory?.given && { given: memory.given }),
  ...(memory?.verdicts && { verdicts: memory.verdicts }),
  ...(memory?.block !== undefined && { block: memory.block }),
  ...(memory?.summary !== undefined && { summary: memory.summary }),
});
