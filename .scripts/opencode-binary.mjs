// The OpenCode that the tests run. It has 175 MB, so it is downloaded into a cache folder instead of being a devDependency.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const VERSION = "1.18.18";

/** The path of the binary, or undefined and a message if it cannot be downloaded. */
export function opencodeBinary() {
  const name = `opencode-${process.platform}-${process.arch}`;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "compaction-rules", `opencode-${VERSION}`);
  const binary = process.env.OPENCODE_BIN || join(cache, "node_modules", name, "bin", "opencode");
  if (!existsSync(binary)) {
    mkdirSync(cache, { recursive: true });
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", cache, `${name}@${VERSION}`];
    spawnSync("npm", args, { stdio: "ignore" });
  }
  if (existsSync(binary)) return binary;
  console.log(`skipped: ${name}@${VERSION} cannot be downloaded here`);
  return undefined;
}
