// All checks: build, types, lint, tests. `--slow` runs the slow tests instead. Other arguments go to the test runner.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const [slow, ...others] = process.argv[2] === "--slow" ? process.argv.slice(2) : [undefined, ...process.argv.slice(2)];
const build = ["build", [".scripts/build.mjs"]];
const tests = ["tests", ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...others]];
const steps = slow
  ? [build, tests]
  : [
      build,
      ["types", ["node_modules/typescript/bin/tsc", "-p", "test"]],
      ["types of the page", ["node_modules/typescript/bin/tsc", "-p", "src/page"]],
      ["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]],
      ["packs", ["dist/cli/main.js", "validate"]],
      ["examples", ["dist/cli/main.js", "test", "--coverage"]],
      tests,
    ];
const env = { ...process.env, COMPACTION_TESTS: slow ? "slow" : "fast" };

for (const [name, args] of steps) {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) {
    console.error(`\n${name} failed`);
    process.exit(status ?? 1);
  }
}
