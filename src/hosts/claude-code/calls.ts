// Claude Code's event before a tool call. It reads what is printed, and lets the call run if it cannot.
import { callHost } from "../calls/answer-call.js";

export const claudeCodeCalls = callHost("claude-code", {
  projectOf: ({ CLAUDE_PROJECT_DIR }) => CLAUDE_PROJECT_DIR,
  other: "COPILOT_CLI",
  asks: ({ CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry }) =>
    attended === undefined ? entry === "cli" : attended === "1",
});
