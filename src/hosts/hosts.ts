// The agents that are known. Nothing outside of the folders here names one.
import { claudeCode, claudeCodeMcp, claudeCodeSetup } from "./claude-code/claude-code.js";
import { codex, codexMcp, codexSetup } from "./codex/codex.js";
import type { CommandHost } from "./command-hooks.js";
import { copilot, copilotSetup } from "./copilot/copilot.js";
import { cursorMcp } from "./cursor/setup.js";
import { gemini, geminiMcp, geminiSetup } from "./gemini/gemini.js";
import { openCodeMcp, openCodeSetup } from "./opencode/setup.js";
import { piSetup } from "./pi/setup.js";
import type { HostFiles, HostSetup, OwnInstaller } from "./setup.js";

/** Those that run a command for each event. */
export const COMMAND_HOSTS: readonly CommandHost[] = [claudeCode, codex, copilot, gemini];

/** What init writes or says for each. */
export const SETUPS: readonly (HostSetup | OwnInstaller)[] = [
  openCodeSetup,
  claudeCodeSetup,
  codexSetup,
  piSetup,
  copilotSetup,
  geminiSetup,
];

/** What init --mcp writes for each. */
export const MCP_SETUPS: readonly HostFiles[] = [openCodeMcp, claudeCodeMcp, codexMcp, geminiMcp, cursorMcp];
