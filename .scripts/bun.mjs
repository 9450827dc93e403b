// npm run test:bun: runs the command-line scenarios on the Bun that is inside OpenCode.
import { opencodeBinary } from "./opencode-binary.mjs";
import { runTests } from "./vitest.mjs";

const binary = opencodeBinary();
if (binary === undefined) process.exit(0);
// Broken connections look different on Bun: `compact --model` is supported on Node only, and judge tests use it.
// Without a home or a working folder Bun itself does not start, or the user cannot reach it.
const left = ["compact", "judge", "surroundings"].flatMap((name) => ["--exclude", `test/cli/${name}{,.slow}.test.ts`]);
process.exit(runTests(["test/cli", ...left], { COMPACTION_RUNTIME: binary, COMPACTION_TESTS: "all", BUN_BE_BUN: "1" }));
