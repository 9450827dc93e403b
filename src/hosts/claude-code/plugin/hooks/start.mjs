// Starts the program of the package, which is this plugin. A clone that is not built starts the one on the path.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = new URL("../../../../../dist/cli/main.js", import.meta.url);
if (existsSync(own)) await import(own.href);
else {
  const child = spawn("compaction-rules", process.argv.slice(2), { stdio: "inherit", shell: process.platform === "win32" });
  // With the status 2, a hook would forbid the compaction.
  child.on("close", (status) => {
    process.exitCode = status === 0 ? 0 : 1;
  });
  child.on("error", () => {
    console.error(
      `compaction: the plugin is not built: run npm install in ${fileURLToPath(new URL("../../../../../", import.meta.url))}`,
    );
    process.exitCode = 1;
  });
}
