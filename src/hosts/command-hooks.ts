// Agents that run a command around their compaction, as Claude Code and Codex do: each run is told of one event, and what it
// prints is what the agent hears. Thin: sessions go to the keeper and texts back.

import { atOnce } from "../extract/steps.js";
import { endOfThoughts } from "../keep/thoughts.js";
import type { Session } from "../model.js";
import type { Keeper } from "./keeper.js";

export const COMMAND_HOSTS = ["claude-code", "codex"] as const;
export type CommandHost = (typeof COMMAND_HOSTS)[number];

/** What both agents call the things that they tell. Nothing of it is sure to be there. */
export interface HookEvent {
  readonly hook_event_name?: unknown;
  readonly session_id?: unknown;
  readonly transcript_path?: unknown;
  readonly cwd?: unknown;
  /** Why a session starts. */
  readonly source?: unknown;
  /** What the model wrote, where the agent tells it. */
  readonly compact_summary?: unknown;
}

/**
 * @param late says that what is found by now must do
 * @returns what is to be printed
 */
export function answerHook(host: CommandHost, event: HookEvent, session: Session, keeper: Keeper, late: () => boolean): string {
  const options = { late, whole: session.whole === true };
  switch (event.hook_event_name) {
    case "PreCompact": {
      const text = atOnce(keeper.inject(session, options)) ?? "";
      // Of what a hook prints here, Codex takes no notice.
      return host === "claude-code" ? text : "";
    }
    case "PostCompact": {
      const summary = host === "claude-code" ? writtenBy(event) : lastSummary(session);
      if (summary !== undefined) atOnce(keeper.mend(session.id, summary));
      // It would be shown to the model as the output of a command.
      return "";
    }
    case "SessionStart":
      if (event.source !== "compact") return "";
      // Claude Code stores its summary when all hooks are through.
      return atOnce(keeper.remind(session, host === "claude-code" ? undefined : lastSummary(session), options)) ?? "";
    default:
      return "";
  }
}

/** Is there anything to answer? Who asks for more events than these costs nobody time. */
export const isAnswered = ({ hook_event_name: name, source }: HookEvent) =>
  name === "PreCompact" || name === "PostCompact" || (name === "SessionStart" && source === "compact");

/** What the model thought about before it is not handed on. */
function writtenBy({ compact_summary: given }: HookEvent): string | undefined {
  if (typeof given !== "string") return undefined;
  const prose = given.slice(endOfThoughts(given)).replace(/<\/?summary>/g, "");
  return prose.trim() || undefined;
}

/** Undefined where nobody but the host's servers can read it. */
const lastSummary = ({ messages }: Session) => messages.findLast(({ summary }) => summary === true)?.text.trim() || undefined;
