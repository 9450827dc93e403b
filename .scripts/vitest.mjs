// Starts the test runner in the project's folder, for the scripts that play tests in a browser, on a server or on another runtime.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @returns the exit code
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env variables besides those of this process */
export function runTests(args, env) {
  const runner = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"];
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  return (
    spawnSync(process.execPath, [...runner, ...args], { cwd, stdio: "inherit", env: { ...process.env, ...env } }).status ?? 1
  );
}
