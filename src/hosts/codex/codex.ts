// Codex: what its hooks say and take, and what init writes for it.

import { join } from "node:path";
import { orUndefined } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { PACK_BYTES } from "../../limits.js";
import { shellWord } from "../../text/forms.js";
import { type CommandHost, sessionIn } from "../command-hooks.js";
import { type HostSetup, hookSetup, mcpTable, PACKAGE } from "../setup.js";

export const codex: CommandHost = {
  name: "codex",
  // Codex ignores what a hook prints here.
  injects: false,
  sessionOf: sessionIn,
  tells: (systemMessage) => JSON.stringify({ systemMessage }),
};

export const codexSetup: HostSetup = {
  ...hookSetup(
    "codex",
    {
      title: "Codex",
      program: "codex",
      starts: "codex",
      folder: (home, { CODEX_HOME }) => join(CODEX_HOME || join(home, ".codex"), "sessions"),
      settings: (home, project, { CODEX_HOME }) => [
        join(project, ".codex", "hooks.json"),
        join(CODEX_HOME || join(home, ".codex"), "hooks.json"),
      ],
      // It stores the digest of each hook that the user trusts, under its file.
      isTrusted: (file, home, { CODEX_HOME }) =>
        orUndefined(() =>
          readRegular(join(CODEX_HOME || join(home, ".codex"), "config.toml"), PACK_BYTES).includes(`hooks.state."${file}:`),
        ) === true,
      isSession: (path) => path.endsWith(".jsonl"),
      marks: ['"type":"compacted"'],
      guards: "it cannot ask: guards that ask refuse the call until you allow it",
    },
    ".codex/hooks.json",
    // Codex starts hooks in the folder of the session, which may be below the repository's.
    ({ rooted }) => `"$(git rev-parse --show-toplevel)"/${shellWord(rooted)}`,
    undefined,
    // Its tool for patches answers to the names of editing tools, too.
    { events: ["PreToolUse"], time: 5 },
  ),
  reads: "above",
  next: () => "Codex runs no hook that you have not looked at: start codex, type /hooks and trust them.",
};

export const codexMcp = mcpTable({
  name: "codex",
  files: [".codex/config.toml"],
  servers: "mcp_servers",
  // It starts servers in the folder of the session too, without a shell.
  startOf: () => PACKAGE,
  reads: "above",
  next: () => "Codex reads it only in a project that you trust.",
});
