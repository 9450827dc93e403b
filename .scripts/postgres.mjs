// npm run test:postgres: plays test/postgres against a real server of its own. Arguments go to the test runner.
import { findServer } from "../test/postgres/server.mjs";
import { runTests } from "./vitest.mjs";

if (findServer() === undefined) {
  console.log("skipped: there is no PostgreSQL server on this machine (on Debian: apt-get install postgresql)");
  process.exit(0);
}
process.exit(runTests(process.argv.slice(2), { COMPACTION_TESTS: "postgres" }));
