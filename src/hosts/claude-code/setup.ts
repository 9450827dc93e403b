import { join } from "node:path";
import { mcpSetup } from "../mcp-setup.js";
import { type HostSetup, hookSetup } from "../setup.js";

/** A command that works for everybody who has the project. */
export const claudeCodeSetup: HostSetup = hookSetup(
  "claude-code",
  {
    title: "Claude Code",
    program: "claude",
    folder: (home, { CLAUDE_CONFIG_DIR }) => join(CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects"),
    settings: (home, project, { CLAUDE_CONFIG_DIR }) => [
      join(project, ".claude", "settings.json"),
      join(project, ".claude", "settings.local.json"),
      join(CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json"),
    ],
    // Sub-agents have files of their own in a folder below.
    isSession: (path) => /^[^/\\]+[/\\][^/\\]+\.jsonl$/.test(path),
    marks: ['"isCompactSummary":true'],
  },
  ".claude/settings.json",
  ({ path }) => `"$CLAUDE_PROJECT_DIR"/${path}`,
);

export const claudeCodeMcp = mcpSetup({
  name: "claude-code",
  files: [".mcp.json"],
  servers: "mcpServers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
  startOf: ({ path }) => "${CLAUDE_PROJECT_DIR:-.}/".concat(path),
  next: "Claude Code asks you about the server when you start it there.",
});
