// The agents that start a command at a tool call. Apart from the other lists, because this one must load fast.
import { claudeCodeCalls } from "../claude-code/calls.js";
import { geminiCalls } from "../gemini/calls.js";
import { type CallHost, callHost } from "./answer-call.js";

/** Codex lets a call run for which a hook asks, so it is refused. */
const codexCalls = callHost("codex");

/** Copilot CLI refuses by itself what is asked where nobody is. */
const copilotCalls = callHost("copilot", { projectOf: ({ COPILOT_PROJECT_DIR }) => COPILOT_PROJECT_DIR, asks: () => true });

export const CALL_HOSTS: readonly CallHost[] = [claudeCodeCalls, codexCalls, copilotCalls, geminiCalls];
