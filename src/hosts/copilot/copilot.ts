// Copilot CLI: what its hooks say and take. It has an event before a compaction, which takes no text, and none behind it.
import { join } from "node:path";
import { homeFolder } from "../../files/folders.js";
import type { CommandHost } from "../command-hooks.js";

const ID = /^[\w-]+$/;

export const copilot: CommandHost = {
  name: "copilot",
  injects: false,
  prompt: "UserPromptSubmit",
  // The event of a prompt does not name the session's file.
  sessionOf: ({ session_id: id }, { COPILOT_HOME: home = join(homeFolder() ?? "", ".copilot") }) =>
    typeof id === "string" && ID.test(id) ? { file: join(home, "session-state", id, "events.jsonl"), id } : undefined,
  printed: (text) => JSON.stringify({ additionalContext: text }),
};
