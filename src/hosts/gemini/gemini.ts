// Gemini CLI: what its hooks say and take, and what init writes for it. Its event before a compaction comes before every request
// to the model, compaction or not, and takes no text. A text at the start of a session would make it lose the prompt when a
// session is resumed.

import { join } from "node:path";
import { shellWord } from "../../text/forms.js";
import { type CommandHost, sessionIn } from "../command-hooks.js";
import { type HostSetup, hookSetup, mcpSetup } from "../setup.js";

export const gemini: CommandHost = {
  name: "gemini",
  injects: false,
  prompt: "BeforeAgent",
  sessionOf: sessionIn,
  printed: (text) => JSON.stringify({ hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: text } }),
};

/** It counts in milliseconds. */
export const geminiSetup: HostSetup = hookSetup(
  "gemini",
  {
    title: "Gemini CLI",
    program: "gemini",
    starts: "gemini -i",
    folder: (home) => join(home, ".gemini", "tmp"),
    settings: (home, project) => [join(project, ".gemini", "settings.json"), join(home, ".gemini", "settings.json")],
    isSession: (path) => /[/\\]chats[/\\]session-[^/\\]*\.jsonl?$/.test(path),
    // A compaction puts another list in the place of the messages.
    marks: ['"$set"', "state_snapshot"],
    guards: "it cannot ask where nobody is: guards that ask refuse the call until you allow it",
  },
  ".gemini/settings.json",
  ({ path }) => `"$GEMINI_PROJECT_DIR"/${shellWord(path)}`,
  { BeforeAgent: 20_000 },
  { events: ["BeforeTool", "AfterTool"], time: 5_000, tools: /^[a-z]+_[a-z_]+$|^replace$/ },
);

export const geminiMcp = mcpSetup({
  name: "gemini",
  files: [".gemini/settings.json"],
  servers: "mcpServers",
  startOf: ({ path }) => path,
  next: () => "Gemini CLI starts servers only in folders that you trust.",
});
