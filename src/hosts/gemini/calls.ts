// Gemini CLI's events around a tool call. It drops what is told before a call. If a hook asks where nobody is, its run ends.
import { callHost, printedOutput } from "../calls/answer-call.js";

export const geminiCalls = callHost("gemini", {
  before: "BeforeTool",
  after: "AfterTool",
  projectOf: ({ GEMINI_PROJECT_DIR }) => GEMINI_PROJECT_DIR,
  printed: ({ reason, tell, shown }) => {
    if (reason !== undefined) return `${JSON.stringify({ decision: "deny", reason })}\n`;
    return tell === undefined ? "" : printedOutput("AfterTool", { additionalContext: tell }, shown);
  },
});
