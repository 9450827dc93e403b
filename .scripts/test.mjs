// All checks: build, types, lint, tests. `--slow` runs the slow tests instead. Other arguments go to the test runner.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const [slow, ...others] = process.argv[2] === "--slow" ? process.argv.slice(2) : [undefined, ...process.argv.slice(2)];
const tsc = "node_modules/typescript/bin/tsc";
const tests = ["tests", ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...others]];
// The types of src are checked once, together with those of the tests.
const build = ["build", [".scripts/build.mjs", ...(slow ? [] : ["--unchecked"])]];
/** What does not measure time runs side by side. */
const checks = [
  [["types", [tsc, "-p", "test"]]],
  [
    ["types of the page", [tsc, "-p", "src/page"]],
    ["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]],
    ["packs", ["dist/cli/main.js", "validate"]],
    ["examples", ["dist/cli/main.js", "test", "--coverage"]],
  ],
];
const env = { ...process.env, COMPACTION_TESTS: slow ? "slow" : "fast" };

async function run([name, args]) {
  console.log(`\n— ${name}`);
  const status = await new Promise((done) => spawn(process.execPath, args, { stdio: "inherit", env }).on("exit", done));
  if (status === 0) return;
  console.error(`\n${name} failed`);
  process.exit(status ?? 1);
}

async function runAll(steps) {
  for (const step of steps) await run(step);
}

await run(build);
if (!slow) await Promise.all(checks.map(runAll));
await run(tests);
