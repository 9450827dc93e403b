import { type HostSetup, hookSetup } from "../setup.js";

export const codexSetup: HostSetup = {
  // Codex starts hooks in another folder.
  ...hookSetup("codex", ".codex/hooks.json", ({ file }) => `"${file}"`),
  reads: "above",
  next: "Codex runs no hook that you have not looked at: start codex, type /hooks and trust them.",
};
