// The agents that start a command at a tool call. Apart from the other lists, because this one must load fast.

import { type CallHost, callHost, printedOutput } from "./answer-call.js";

/** Gemini CLI drops what is told before a call. If a hook asks where nobody is, its run ends. */
const geminiCalls = callHost("gemini", {
  before: "BeforeTool",
  after: "AfterTool",
  projectOf: ({ GEMINI_PROJECT_DIR }) => GEMINI_PROJECT_DIR,
  printed: ({ reason, tell, shown }) => {
    if (reason !== undefined) return `${JSON.stringify({ decision: "deny", reason })}\n`;
    return tell === undefined ? "" : printedOutput("AfterTool", { additionalContext: tell }, shown);
  },
});

/** Claude Code lets the call run if it cannot read the answer. */
const claudeCodeCalls = callHost("claude-code", {
  projectOf: ({ CLAUDE_PROJECT_DIR }) => CLAUDE_PROJECT_DIR,
  other: "COPILOT_CLI",
  asks: ({ CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry }) =>
    attended === undefined ? entry === "cli" : attended === "1",
});

/** Codex lets a call run for which a hook asks, so it is refused. */
const codexCalls = callHost("codex");

/** Copilot CLI refuses by itself what is asked where nobody is. */
const copilotCalls = callHost("copilot", { projectOf: ({ COPILOT_PROJECT_DIR }) => COPILOT_PROJECT_DIR, asks: () => true });

export const CALL_HOSTS: readonly CallHost[] = [claudeCodeCalls, codexCalls, copilotCalls, geminiCalls];
