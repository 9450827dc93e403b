// npm run test:browser: plays test/browser in a real Chromium. Arguments go to the test runner.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

if (spawnSync("chromium", ["--version"]).status !== 0) {
  console.log("skipped: there is no chromium on this machine (on Debian: apt-get install chromium)");
  process.exit(0);
}
const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...process.argv.slice(2)];
const env = { ...process.env, COMPACTION_TESTS: "browser" };
process.exit(spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1);
