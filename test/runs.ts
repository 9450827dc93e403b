// How often a property is tried: a few times in `npm test`, as often as it says in `npm run test:slow`.
export const runs = (all: number): number => (process.env.COMPACTION_TESTS === "slow" ? all : Math.max(20, Math.ceil(all / 20)));
