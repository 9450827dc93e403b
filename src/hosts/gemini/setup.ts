import { join } from "node:path";
import { mcpSetup } from "../mcp-setup.js";
import { type HostSetup, hookSetup } from "../setup.js";

/** It counts in milliseconds. */
export const geminiSetup: HostSetup = hookSetup(
  "gemini",
  {
    title: "Gemini CLI",
    program: "gemini",
    folder: (home) => join(home, ".gemini", "tmp"),
    settings: (home, project) => [join(project, ".gemini", "settings.json"), join(home, ".gemini", "settings.json")],
    isSession: (path) => /[/\\]chats[/\\]session-[^/\\]*\.jsonl?$/.test(path),
    // A compaction puts another list in the place of the messages.
    marks: ['"$set"', "state_snapshot"],
  },
  ".gemini/settings.json",
  ({ path }) => `"$GEMINI_PROJECT_DIR"/${path}`,
  { BeforeAgent: 20_000 },
);

export const geminiMcp = mcpSetup({
  name: "gemini",
  files: [".gemini/settings.json"],
  servers: "mcpServers",
  startOf: ({ path }) => path,
  next: "Gemini CLI starts servers only in folders that you trust.",
});
