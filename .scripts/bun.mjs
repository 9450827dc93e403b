// Runs the command-line scenarios on the Bun that is inside OpenCode.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { opencodeBinary } from "./opencode-binary.mjs";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const binary = opencodeBinary();
if (binary === undefined) process.exit(0);
// Broken connections look different on Bun: `compact --model` is supported on Node only, and judge tests use it.
// Without a home or a working folder Bun itself does not start, or the user cannot reach it.
const left = ["compact", "judge", "surroundings"].flatMap((name) => ["--exclude", `test/cli/${name}{,.slow}.test.ts`]);
const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/cli", ...left];
const env = { ...process.env, COMPACTION_RUNTIME: binary, COMPACTION_TESTS: "all", BUN_BE_BUN: "1" };
const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
process.exit(status ?? 1);
