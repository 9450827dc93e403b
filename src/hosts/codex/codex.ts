// Codex: what its hooks say and take.
import { type CommandHost, sessionIn } from "../command-hooks.js";

export const codex: CommandHost = {
  name: "codex",
  // Codex ignores what a hook prints here.
  injects: false,
  sessionOf: sessionIn,
  tells: (systemMessage) => JSON.stringify({ systemMessage }),
};
