// Gemini CLI: what its hooks say and take. Its event before a compaction comes before every request to the model, compaction or
// not, and takes no text. A text at the start of a session would make it lose the prompt when a session is resumed.
import { type CommandHost, sessionIn } from "../command-hooks.js";

export const gemini: CommandHost = {
  name: "gemini",
  injects: false,
  prompt: "BeforeAgent",
  sessionOf: sessionIn,
  printed: (text) => JSON.stringify({ hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: text } }),
};
