// Hooks for agents that run a command around a compaction: Claude Code and Codex. Each run handles one event, and the agent reads
// what it prints. A thin layer over the keeper.
import { endOfThoughts } from "../audit/block.js";
import { atOnce } from "../extract/steps.js";
import type { Session } from "../model.js";
import type { Keeper } from "./keeper.js";

export const COMMAND_HOSTS = ["claude-code", "codex"] as const;
export type CommandHost = (typeof COMMAND_HOSTS)[number];

/** The fields that both agents send. Any of them can be missing. */
export interface HookEvent {
  readonly hook_event_name?: unknown;
  readonly session_id?: unknown;
  readonly transcript_path?: unknown;
  readonly cwd?: unknown;
  /** Why the session starts. */
  readonly source?: unknown;
  /** The summary that the model wrote, if the agent sends it. */
  readonly compact_summary?: unknown;
}

/**
 * @param late returns true when time is up and the facts found so far must do
 * @returns the text to print
 */
export function answerHook(host: CommandHost, event: HookEvent, session: Session, keeper: Keeper, late: () => boolean): string {
  const options = { late, whole: session.whole === true };
  switch (event.hook_event_name) {
    case "PreCompact": {
      const text = atOnce(keeper.inject(session, options)) ?? "";
      // Codex ignores what a hook prints here.
      return host === "claude-code" ? text : "";
    }
    case "PostCompact": {
      const summary = host === "claude-code" ? writtenBy(event) : lastSummary(session);
      if (summary !== undefined) atOnce(keeper.repair(session.id, summary));
      // Print nothing: the model would see it as the output of a command.
      return "";
    }
    case "SessionStart":
      if (event.source !== "compact") return "";
      // Claude Code stores its summary only after all hooks have finished.
      return atOnce(keeper.remind(session, host === "claude-code" ? undefined : lastSummary(session), options)) ?? "";
    default:
      return "";
  }
}

/** Does this event need an answer? All other events are ignored, so that they cost no time. */
export const isAnswered = ({ hook_event_name: name, source }: HookEvent) =>
  name === "PreCompact" || name === "PostCompact" || (name === "SessionStart" && source === "compact");

/** Removes the model's thoughts, which come before the summary. */
function writtenBy({ compact_summary: given }: HookEvent): string | undefined {
  if (typeof given !== "string") return undefined;
  const prose = given.slice(endOfThoughts(given)).replace(/<\/?summary>/g, "");
  return prose.trim() || undefined;
}

/** Undefined if only the host's servers can read the summary. */
const lastSummary = ({ messages }: Session) => messages.findLast(({ summary }) => summary === true)?.text.trim() || undefined;
