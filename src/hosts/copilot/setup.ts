import { join } from "node:path";
import { type HostSetup, hookSetup } from "../setup.js";

export const copilotSetup: HostSetup = {
  ...hookSetup(
    "copilot",
    {
      title: "Copilot CLI",
      program: "copilot",
      folder: (home, { COPILOT_HOME }) => join(COPILOT_HOME || join(home, ".copilot"), "session-state"),
      settings: (_, project) => [join(project, ".github", "copilot", "settings.json")],
      isSession: (path) => path.endsWith("events.jsonl"),
      marks: ["session.compaction_complete"],
    },
    ".github/copilot/settings.json",
    ({ path }) => `"$COPILOT_PROJECT_DIR"/${path}`,
    { UserPromptSubmit: 20 },
  ),
  reads: "root",
  next: "Copilot runs hooks only in folders that you trust: it asks when you start it there.",
};
