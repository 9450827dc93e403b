// The agents that are known. Nothing outside of the folders here names one.
import { claudeCode } from "./claude-code/claude-code.js";
import { claudeCodeMcp, claudeCodeSetup } from "./claude-code/setup.js";
import { codex } from "./codex/codex.js";
import { codexMcp, codexSetup } from "./codex/setup.js";
import type { CommandHost } from "./command-hooks.js";
import { copilot } from "./copilot/copilot.js";
import { copilotSetup } from "./copilot/setup.js";
import { cursorMcp } from "./cursor/setup.js";
import { gemini } from "./gemini/gemini.js";
import { geminiMcp, geminiSetup } from "./gemini/setup.js";
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
