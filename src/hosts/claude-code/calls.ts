// Claude Code's event before a tool call. It reads what is printed, and lets the call run if it cannot.
import type { CallHost } from "../calls/answer-call.js";

export const claudeCodeCalls: CallHost = {
  name: "claude-code",
  callOf: ({ hook_event_name: name, session_id, agent_id, tool_name: tool, tool_input: input, cwd }, environment) => {
    if (name !== "PreToolUse" || typeof tool !== "string" || typeof cwd !== "string") return undefined;
    const { CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry } = environment;
    const session = [session_id, agent_id].filter((id) => typeof id === "string").join("-");
    const asks = attended === undefined ? entry === "cli" : attended === "1";
    return { session, tool, input, project: project || cwd, folder: cwd, asks };
  },
  printed: ({ call, reason, tell, shown }) => {
    const decision =
      call === "run" ? {} : { permissionDecision: call === "ask" ? call : "deny", permissionDecisionReason: reason };
    const said = { ...decision, ...(tell && { additionalContext: tell }) };
    if (Object.keys(said).length === 0) return "";
    const output = { hookSpecificOutput: { hookEventName: "PreToolUse", ...said }, ...(shown && { systemMessage: shown }) };
    return `${JSON.stringify(output)}\n`;
  },
};
