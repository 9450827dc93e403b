// The agents that are known. Nothing outside of the folders here names one.

import { dirname, join, resolve } from "node:path";
import { isOwnPackage, lastingFolder } from "../files/own-package.js";
import { shellWord } from "../text/forms.js";
import { asFields, asList, asText, parseJson } from "../text/json.js";
import { claudeCode, claudeCodeMcp, claudeCodeSetup } from "./claude-code/claude-code.js";
import { codex, codexMcp, codexSetup } from "./codex/codex.js";
import type { CommandHost } from "./command-hooks.js";
import { copilot, copilotSetup } from "./copilot/copilot.js";
import { gemini, geminiMcp, geminiSetup } from "./gemini/gemini.js";
import { openCodeMcp, openCodeSetup } from "./opencode/setup.js";
import { type HostFiles, type HostSetup, mcpSetup, type OwnInstaller, PACKAGE } from "./setup.js";

/** Cursor has only the server. It starts servers in a folder of its own. */
const cursorMcp = mcpSetup({
  name: "cursor",
  files: [".cursor/mcp.json"],
  servers: "mcpServers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
  startOf: ({ path }) => "${workspaceFolder}/".concat(path),
  textOf: (program) => `{ "command": ${program}, "args": ["mcp", "--project", "\${workspaceFolder}"] }`,
});

const piSource = (): string => {
  const folder = lastingFolder();
  return folder === undefined ? `npm:${PACKAGE}` : shellWord(folder);
};

/** The entries of a file of pi's settings that are our package: by its name in a registry, or the folder that holds it. */
export function piPackages(text: string, file: string): readonly { readonly entry: string; readonly folder?: string }[] {
  return asList(asFields(parseJson(text)).packages).flatMap((one) => {
    const entry = asText(one) ?? asText(asFields(one).source) ?? "";
    const folder = resolve(dirname(file), entry);
    if (isOwnPackage(folder)) return [{ entry, folder }];
    if (!entry.includes(PACKAGE)) return [];
    // A path of ours that leads nowhere any more.
    return [/^[./~]|^\w:[/\\]/.test(entry) ? { entry, folder } : { entry }];
  });
}

const piSetup: OwnInstaller = {
  name: "pi",
  agent: {
    title: "pi",
    program: "pi",
    starts: "pi",
    folder: (home, { PI_CODING_AGENT_DIR }) => join(PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions"),
    settings: (home, project, { PI_CODING_AGENT_DIR }) => [
      join(project, ".pi", "settings.json"),
      join(PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "settings.json"),
    ],
    isSession: (path) => path.endsWith(".jsonl"),
    marks: ['"type":"compaction"'],
    names: (text, file) => piPackages(text, file).length > 0,
  },
  install: () => `pi install ${piSource()}`,
  remove: () => `pi remove ${piSource()}`,
};

/** Those that run a command for each event. */
export const COMMAND_HOSTS: readonly CommandHost[] = [claudeCode, codex, copilot, gemini];

export const SETUPS: readonly (HostSetup | OwnInstaller)[] = [
  openCodeSetup,
  claudeCodeSetup,
  codexSetup,
  piSetup,
  copilotSetup,
  geminiSetup,
];

export const MCP_SETUPS: readonly HostFiles[] = [openCodeMcp, claudeCodeMcp, codexMcp, geminiMcp, cursorMcp];

const SHARED_SKILLS = ".agents/skills";

/** Where each agent looks for the skills of a project. Those that read several folders get the shared one. */
export const SKILL_FOLDERS: Readonly<Record<string, string>> = {
  "claude-code": ".claude/skills",
  opencode: SHARED_SKILLS,
  codex: SHARED_SKILLS,
  pi: SHARED_SKILLS,
  copilot: SHARED_SKILLS,
  gemini: SHARED_SKILLS,
  cursor: SHARED_SKILLS,
};
