// All checks: build, types, lint, tests. `--slow` runs the slow tests instead. Other arguments go to the test runner.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const slow = process.argv[2] === "--slow";
const others = process.argv.slice(slow ? 3 : 2);
const tsc = "node_modules/typescript/bin/tsc";
/** @typedef {[name: string, args: string[]]} Step a name, and what Node runs */

/** @type {Step} */
const generate = ["generate", [".scripts/generate.mjs"]];
// The types of src are checked once, together with those of the tests.
/** @type {Step} */
const build = ["build", [".scripts/build.mjs", ...(slow ? [] : ["--generated", "--unchecked"])]];
/** @type {Step} */
const tests = ["tests", ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...others]];
/** @type {Step[]} */
const sources = [
  ["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]],
  ["types of the page", [tsc, "-p", "src/page"]],
];
// The extension of pi imports dist.
/** @type {Step[]} */
const built = [
  ["packs", ["dist/cli/main.js", "validate"]],
  ["examples", ["dist/cli/main.js", "test", "--coverage"]],
  ["types", [tsc, "-p", "test"]],
  ["types of the scripts", [tsc, "-p", ".scripts"]],
];
const env = { ...process.env, COMPACTION_TESTS: slow ? "slow" : "fast" };

const running = new Set();

/** Runs a step. With others beside it, what it prints is shown when it ends.
 * @param {Step} step */
async function run([name, args], beside = true) {
  if (!beside) console.log(`\n— ${name}`);
  const child = spawn(process.execPath, args, {
    stdio: beside ? ["inherit", "pipe", "pipe"] : "inherit",
    env,
  });
  running.add(child);
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk));
  const status = await new Promise((done) => child.on("close", done));
  running.delete(child);
  if (beside) process.stdout.write(Buffer.concat([Buffer.from(`\n— ${name}\n`), ...printed]));
  if (status === 0) return;
  console.error(`\n${name} failed`);
  for (const other of running) other.kill();
  process.exit(status ?? 1);
}

async function runAll(steps) {
  for (const step of steps) await run(step);
}

if (slow) {
  // Slow tests measure time, so nothing runs beside them.
  await run(build, false);
  await run(tests, false);
} else {
  // The build uses one core, and no fast test measures time.
  await run(generate, false);
  await Promise.all([runAll(sources), run(build).then(() => Promise.all([runAll(built), run(tests, false)]))]);
}
