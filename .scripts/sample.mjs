// npm start: runs on the sample session of the project.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const sample = "test/fixtures/sample-session.json";

const compaction = (...args) => {
  console.log(`\n$ compaction ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

console.log("The brief of the sample session:");
compaction("run", sample);
console.log("\nWhy: the rule and the place of each fact:");
compaction("explain", sample);
// Last, because it stays on the screen.
console.log("\nWhat the summary of a compaction lost:");
compaction("--sample");
