import { type HostSetup, hookSetup } from "../setup.js";

export const copilotSetup: HostSetup = {
  ...hookSetup("copilot", ".github/copilot/settings.json", ({ path }) => `"$COPILOT_PROJECT_DIR"/${path}`, {
    UserPromptSubmit: 20,
  }),
  reads: "root",
  next: "Copilot runs hooks only in folders that you trust: it asks when you start it there.",
};
