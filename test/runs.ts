// How much `npm test` tries; `npm run test:slow` tries all of it.
const isSlow = process.env.COMPACTION_TESTS === "slow";

/** How often a property is tried. */
export const runs = (all: number): number => (isSlow ? all : Math.max(20, Math.ceil(all / 20)));

/** How large a large input is. */
export const sized = (all: number, fast: number): number => (isSlow ? all : fast);

/** Which of many cases are tried: some in `npm test`, all when somebody runs the file. */
export const cases = <T>(all: readonly T[], fast: readonly T[]): readonly T[] =>
  process.env.COMPACTION_TESTS === "fast" ? fast : all;
