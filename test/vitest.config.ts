import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../", import.meta.url)),
    include: ["test/**/*.test.ts"],
    // Nothing is written to the user's own cache; the tests of it have one of their own.
    env: { COMPACTION_CACHE: "off" },
    testTimeout: 60_000,
    reporters: ["default"],
  },
});
