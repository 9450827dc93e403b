import { type HostSetup, hookSetup } from "../setup.js";

/** It counts in milliseconds. */
export const geminiSetup: HostSetup = hookSetup(
  "gemini",
  ".gemini/settings.json",
  ({ path }) => `"$GEMINI_PROJECT_DIR"/${path}`,
  { BeforeAgent: 20_000 },
);
