import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { compiledModules } from "./compiled-modules.js";

const root = fileURLToPath(new URL("../", import.meta.url));

// Tests write and remove thousands of small files, and a disk takes milliseconds for each. Those of `npm test` fit into memory.
const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 1_000_000_000;
function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
const isFast = process.env.COMPACTION_TESTS === "fast";
const temporary = mkdtempSync(join(isFast && hasMemory() ? MEMORY : tmpdir(), "compaction-tests-"));
// Some tests run programs as another user, who must get at what is in it.
chmodSync(temporary, 0o755);
process.env.TMPDIR = temporary;
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** Real processes, large inputs, growth: `npm run test:slow` runs them, and properties as often as they say. */
const SLOW = ".slow.test.ts";
/** In a real browser: `npm run test:browser` runs them. */
const BROWSER = ".browser.test.ts";
/** With a real server: `npm run test:postgres` runs them. */
const POSTGRES = ".postgres.test.ts";
const tests = readdirSync(join(root, "test"), { recursive: true })
  .map((name) => `test/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".test.ts"));
const hasProperties = (name: string) =>
  /\b(?:runs|sized|cases|holdsAgainstOddities)\(/.test(readFileSync(join(root, name), "utf8"));
/** Which of them run, by COMPACTION_TESTS: all unless it is set. */
const WANTED: Readonly<Record<string, (name: string) => boolean>> = {
  fast: (name) => ![SLOW, BROWSER, POSTGRES].some((end) => name.endsWith(end)),
  slow: (name) => name.endsWith(SLOW) || hasProperties(name),
  browser: (name) => name.endsWith(BROWSER),
  postgres: (name) => name.endsWith(POSTGRES),
};

export default defineConfig({
  plugins: [compiledModules],
  test: {
    root,
    include: tests.filter(WANTED[process.env.COMPACTION_TESTS ?? "all"] ?? (() => true)),
    // Most files wait for processes of their own. Slow ones measure time, so they run one by one.
    maxWorkers: isFast ? Math.max(2, availableParallelism() - 1) : 1,
    // Tests make and drop many small things. With more room for them, less is copied.
    execArgv: ["--max-semi-space-size=64"],
    // A fresh copy of the engine for each file takes longer than most files.
    isolate: false,
    // Nothing is written to the user's own folders; the tests of them have some of their own.
    env: { XDG_STATE_HOME: join(temporary, "compaction-state") },
    server: { deps: { external: [/\/\.compiled-/] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
