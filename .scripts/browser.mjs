// npm run test:browser: plays test/browser in a real Chromium. Arguments go to the test runner.
import { spawnSync } from "node:child_process";
import { runTests } from "./vitest.mjs";

if (spawnSync("chromium", ["--version"]).status !== 0) {
  console.log("skipped: there is no chromium on this machine (on Debian: apt-get install chromium)");
  process.exit(0);
}
process.exit(runTests(process.argv.slice(2), { COMPACTION_TESTS: "browser" }));
