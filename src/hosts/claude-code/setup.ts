import { type HostSetup, hookSetup } from "../setup.js";

/** A command that works for everybody who has the project. */
export const claudeCodeSetup: HostSetup = hookSetup(
  "claude-code",
  ".claude/settings.json",
  ({ path }) => `"$CLAUDE_PROJECT_DIR"/${path}`,
);
