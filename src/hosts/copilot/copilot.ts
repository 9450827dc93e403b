// Copilot CLI: what its hooks say and take, and what init writes for it. It has an event before a compaction, which takes no
// text, and none behind it.
import { join } from "node:path";
import { homeFolder } from "../../files/folders.js";
import { shellWord } from "../../text/forms.js";
import type { CommandHost } from "../command-hooks.js";
import { type HostSetup, hookSetup } from "../setup.js";

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

export const copilotSetup: HostSetup = {
  ...hookSetup(
    "copilot",
    {
      title: "Copilot CLI",
      program: "copilot",
      starts: "copilot -i",
      folder: (home, { COPILOT_HOME }) => join(COPILOT_HOME || join(home, ".copilot"), "session-state"),
      settings: (_, project) => [join(project, ".github", "copilot", "settings.json")],
      isSession: (path) => path.endsWith("events.jsonl"),
      marks: ["session.compaction_complete"],
    },
    ".github/copilot/settings.json",
    ({ path }) => `"$COPILOT_PROJECT_DIR"/${shellWord(path)}`,
    { UserPromptSubmit: 20 },
    // It refuses a call if the hook fails, also if the program is not there.
    { events: ["PreToolUse"], time: 5, end: " || exit 0" },
  ),
  reads: "root",
  next: () => "Copilot runs hooks only in folders that you trust: it asks when you start it there.",
};
