// npm run test:postgres: plays test/postgres against a real server of its own. Arguments go to the test runner.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findServer } from "../test/postgres/server.mjs";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

if (findServer() === undefined) {
  console.log("skipped: there is no PostgreSQL server on this machine (on Debian: apt-get install postgresql)");
  process.exit(0);
}
const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...process.argv.slice(2)];
const env = { ...process.env, COMPACTION_TESTS: "postgres" };
process.exit(spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1);
