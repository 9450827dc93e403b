// Installs what is missing, so that `npm start` and `npm test` work on a fresh clone.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const wanted = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const names = Object.keys({ ...wanted.dependencies, ...wanted.devDependencies });
const missing = names.filter((name) => !existsSync(new URL(`node_modules/${name}/package.json`, root)));

if (missing.length > 0) {
  console.error(`installing ${missing.length} missing packages`);
  // Not `npm ci`: it refuses a lock file written where the registry lacks packages for other platforms.
  // `npm install --global` of a git repository runs this, too, and what it needs is not global.
  const { npm_config_global: _, npm_config_location: __, ...env } = process.env;
  const { status } = spawnSync("npm", ["install", "--ignore-scripts", "--include=dev", "--no-save", "--no-audit", "--no-fund"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
