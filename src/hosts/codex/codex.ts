// Codex: what its hooks say and take.
import type { Session } from "../../model.js";
import { type CommandHost, sessionIn } from "../command-hooks.js";

export const codex: CommandHost = {
  name: "codex",
  // Codex ignores what a hook prints here.
  injects: false,
  sessionOf: sessionIn,
  summaryOf: (_, session) => lastSummary(session),
  tells: (systemMessage) => JSON.stringify({ systemMessage }),
};

/** Undefined if only the provider's servers can read the summary. */
const lastSummary = ({ messages }: Session) => messages.findLast(({ summary }) => summary === true)?.text.trim() || undefined;
