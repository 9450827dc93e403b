// Everything that must hold: build, types, lint, tests. What is given behind `--` goes to the test runner.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const steps = [
  ["build", [".scripts/build.mjs"]],
  ["types", ["node_modules/typescript/bin/tsc", "-p", "test"]],
  ["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]],
  ["packs", ["dist/cli/main.js", "validate"]],
  ["examples", ["dist/cli/main.js", "test", "--coverage"]],
  ["tests", ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...process.argv.slice(2)]],
];

for (const [name, args] of steps) {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) {
    console.error(`\n${name} failed`);
    process.exit(status ?? 1);
  }
}
