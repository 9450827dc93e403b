import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// A plugin stores behind its answer: it may be at it when a test with a state folder of its own is over.
const state = mkdtempSync(join(tmpdir(), "compaction-state-home-"));
process.once("exit", () => rmSync(state, { recursive: true, force: true }));

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../", import.meta.url)),
    include: ["test/**/*.test.ts"],
    // Nothing is written to the user's own folders; the tests of them have some of their own.
    env: { COMPACTION_CACHE: "off", XDG_STATE_HOME: state },
    testTimeout: 60_000,
    reporters: ["default"],
  },
});
