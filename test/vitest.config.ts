import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../", import.meta.url));

// A plugin stores behind its answer: it may be at it when a test with a state folder of its own is over.
const state = mkdtempSync(join(tmpdir(), "compaction-state-home-"));
process.once("exit", () => rmSync(state, { recursive: true, force: true }));

/** The built-in packs as the build prepared them: compiling them anew takes a second in every test file. */
const PREPARED = join(root, "dist/config/prepared.js");
const newestIn = (folder: string) =>
  Math.max(
    ...readdirSync(join(root, folder), { recursive: true }).map((name) => statSync(join(root, folder, `${name}`)).mtimeMs),
  );
/** What was prepared before the code or the packs changed is not used. */
const isPrepared =
  existsSync(PREPARED) && ["rules", "src/config", "src/rules"].every((folder) => newestIn(folder) < statSync(PREPARED).mtimeMs);
const prepared = {
  name: "prepared packs",
  load: (id: string) =>
    isPrepared && id.endsWith("/src/config/prepared.ts")
      ? `export * from ${JSON.stringify(PREPARED)}; export const embedded = undefined;`
      : undefined,
};

/** Real processes, large inputs, growth: `npm run test:slow` runs them, and properties as often as they say. */
const SLOW = ".slow.test.ts";
/** In a real browser: `npm run test:browser` runs them. */
const BROWSER = ".browser.test.ts";
/** With a real server: `npm run test:postgres` runs them. */
const POSTGRES = ".postgres.test.ts";
const tests = readdirSync(join(root, "test"), { recursive: true })
  .map((name) => `test/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".test.ts"));
const hasProperties = (name: string) => /\b(?:runs|holdsAgainstOddities)\(/.test(readFileSync(join(root, name), "utf8"));
/** Which of them run, by COMPACTION_TESTS: all unless it is set. */
const WANTED: Readonly<Record<string, (name: string) => boolean>> = {
  fast: (name) => ![SLOW, BROWSER, POSTGRES].some((end) => name.endsWith(end)),
  slow: (name) => name.endsWith(SLOW) || hasProperties(name),
  browser: (name) => name.endsWith(BROWSER),
  postgres: (name) => name.endsWith(POSTGRES),
};

export default defineConfig({
  plugins: [prepared],
  test: {
    root,
    include: tests.filter(WANTED[process.env.COMPACTION_TESTS ?? "all"] ?? (() => true)),
    // Most files wait for processes of their own. Slow ones measure time, so they run one by one.
    maxWorkers: process.env.COMPACTION_TESTS === "fast" ? Math.max(2, availableParallelism() - 1) : 1,
    // A fresh copy of the engine for each file takes longer than most files.
    isolate: false,
    // Nothing is written to the user's own folders; the tests of them have some of their own.
    env: { XDG_STATE_HOME: state },
    testTimeout: 60_000,
    reporters: ["default"],
  },
});
