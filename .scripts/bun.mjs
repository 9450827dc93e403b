// Runs the command-line scenarios on the Bun that is inside OpenCode. The binary is fetched by package name into a
// cache folder; where it cannot be had, this says so and nothing fails.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "1.18.18";
process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const name = `opencode-${process.platform}-${process.arch}`;
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "compaction-rules", `opencode-${VERSION}`);
const binary = process.env.OPENCODE_BIN || join(cache, "node_modules", name, "bin", "opencode");

if (!existsSync(binary)) {
  mkdirSync(cache, { recursive: true });
  spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", cache, `${name}@${VERSION}`], {
    stdio: "inherit",
  });
}
if (!existsSync(binary)) {
  console.log(`skipped: ${name}@${VERSION} cannot be had here`);
  process.exit(0);
}
const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/cli"];
const env = { ...process.env, COMPACTION_RUNTIME: binary, BUN_BE_BUN: "1" };
const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
process.exit(status ?? 1);
