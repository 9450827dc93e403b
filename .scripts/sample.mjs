// npm start: shows on a sample session what the program does.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const sample = "rules/init/sample.json";
const page = ".tmp/sample.html";
mkdirSync(".tmp", { recursive: true });

function run(title, ...args) {
  console.log(`\n── ${title}\n$ npx compaction-rules ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run("The brief of a sample session: what the next context needs", "run", sample);
run("What the summary of its compaction lost", "--sample");
run("All of it on one page", "view", sample, "--out", page);
console.log(`\nOpen it in a browser:  ${pathToFileURL(page)}
The same for your own sessions:  npx compaction-rules
All checks and tests:  npm test`);
