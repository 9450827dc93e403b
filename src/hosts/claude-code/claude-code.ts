// Claude Code: what its hooks say and take, those of a command and those of the plugin's module inside the agent, and what init
// writes for it.
import { basename, dirname, join } from "node:path";
import { endOfThoughts, withoutBlockTags } from "../../audit/block.js";
import { lastingFolder } from "../../files/own-package.js";
import { inSlices } from "../../steps.js";
import { shellWord } from "../../text/forms.js";
import {
  type CommandHost,
  type HookAnswer,
  type HookEvent,
  type Hooked,
  type HookedSession,
  sessionIn,
} from "../command-hooks.js";
import { answerCarry, answerHandoff, answerPin } from "../commands.js";
import { carry, handOver } from "../inject.js";
import { receiptFor } from "../keeper.js";
import { blockFor } from "../repair-summary.js";
import { type HostSetup, hookSetup, mcpSetup, PACKAGE } from "../setup.js";

export const claudeCode: CommandHost = {
  name: "claude-code",
  injects: true,
  // What a command prints before a compaction that the user asks for is shown to the agent, too.
  asks: ({ inside, trigger }) => inside === true || trigger === "auto",
  sessionOf,
  // The summary is stored only after all hooks have finished, so no other event knows it.
  summaryOf: writtenBy,
  answerOf: ({ compact_summary: given }) => (typeof given === "string" ? given : undefined),
  isInside: ({ inside }) => inside === true,
  answerInside,
};

const ID = /^[\w-]+$/;

/** A sub-agent's event names the file of the session that opened it. Its own is below that. */
function sessionOf(event: HookEvent): HookedSession | undefined {
  const session = sessionIn(event);
  const { agent_id: agent } = event;
  if (!session || agent === undefined) return session;
  if (typeof agent !== "string" || !ID.test(agent)) return undefined;
  const { file, id } = session;
  const own = join(dirname(file), basename(file, ".jsonl"), "subagents", `agent-${agent}.jsonl`);
  return { file: own, id: `${id}-${agent}`, below: true };
}

/** Removes the model's thoughts, which come before the summary. */
function writtenBy({ compact_summary: given }: HookEvent): string | undefined {
  if (typeof given !== "string") return undefined;
  const prose = given.slice(endOfThoughts(given)).replace(/<\/?summary>/g, "");
  return prose.trim() || undefined;
}

/** The commands of the plugin, and after a compaction a receipt for the user and what neither summary nor brief hold. */
async function answerInside({ event, keeper, read, late, unheard }: Hooked, about: HookedSession): Promise<HookAnswer> {
  switch (event.hook_event_name) {
    case "Pin":
      return { notice: await answerPin(String(event.text ?? ""), keeper, unheard) };
    case "Carry": {
      const session = read(about);
      return { notice: answerCarry(await inSlices(carry(keeper, session, { whole: session.whole === true, late }))) };
    }
    case "Handoff": {
      const session = read(about);
      return { notice: answerHandoff(await inSlices(handOver(keeper, session, { whole: session.whole === true, late }))) };
    }
    case "PostCompact": {
      const summary = writtenBy(event);
      const notice = receiptFor(keeper, about.id);
      if (summary === undefined || notice === undefined) return {};
      const known = `${summary}\n\n${withoutBlockTags(String(event.given ?? ""))}`;
      const text = await inSlices(blockFor(keeper, about.id, late, known));
      return { notice, ...(text !== undefined && { text }) };
    }
    default:
      return {};
  }
}

/** The line that installs the plugin from a folder, which stays the place of the program. */
export const installPlugin = (folder: string) => `claude plugin install ${PACKAGE}-local --marketplace ${shellWord(folder)}`;

/** A command that works for everybody who has the project. */
export const claudeCodeSetup: HostSetup = {
  ...hookSetup(
    "claude-code",
    {
      title: "Claude Code",
      program: "claude",
      starts: "claude",
      folder: (home, { CLAUDE_CONFIG_DIR }) => join(CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects"),
      settings: (home, project, { CLAUDE_CONFIG_DIR }) => [
        join(project, ".claude", "settings.json"),
        join(project, ".claude", "settings.local.json"),
        join(CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json"),
      ],
      // Sub-agents have files of their own in a folder below.
      isSession: (path) => /^[^/\\]+[/\\][^/\\]+\.jsonl$/.test(path),
      marks: ['"isCompactSummary":true'],
    },
    ".claude/settings.json",
    ({ path }) => `"$CLAUDE_PROJECT_DIR"/${shellWord(path)}`,
    undefined,
    { events: ["PreToolUse"], time: 5 },
  ),
  next: () => {
    const folder = lastingFolder();
    return `Hooks bring no commands: /pin, /carry and /handoff come with the plugin${folder === undefined ? "" : `:\n  ${installPlugin(folder)}`}`;
  },
};

export const claudeCodeMcp = mcpSetup({
  name: "claude-code",
  files: [".mcp.json"],
  servers: "mcpServers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
  startOf: ({ path }) => "${CLAUDE_PROJECT_DIR:-.}/".concat(path),
  next: () => "Claude Code asks you about the server when you start it there.",
});
