// What an agent does before it asks its model: first an open compaction request, then a check of the tokens.
import { LIFECYCLE_STEPS } from "../limits.js";
import type { Lifecycle } from "../rules/rule-set.js";
import { createCompaction, runCompaction } from "./compact.js";
import { compactionPart, type Host, type HostInfo, type HostMessage, type HostModel, isSummary } from "./host.js";
import { isOverflow } from "./overflow.js";

/** A turn of a session that is about to ask its model. */
export interface Turn {
  readonly sessionID: string;
  readonly model: HostModel;
  readonly abort?: AbortSignal;
  readonly path?: HostInfo["path"];
}

/** `proceed`: ask the model. `requested`, `compacted`: call again. `stop`: a compaction failed, and its message says why. */
export type LoopStep = "proceed" | "requested" | "compacted" | "stop";

/** Does the next step that a session needs before its model is asked. */
export async function nextStep(host: Host, turn: Turn, rules: Lifecycle): Promise<LoopStep> {
  const { sessionID, model } = turn;
  const messages = await host.messages(sessionID);
  const { pending, lastUser, lastFinished } = standing(messages);
  if (pending) {
    const auto = compactionPart(pending)?.auto ?? false;
    const result = await runCompaction(host, { ...turn, parentID: pending.info.id, messages, auto }, rules);
    return result === "stop" ? "stop" : "compacted";
  }
  const tokens = lastFinished && !isSummary(lastFinished) ? lastFinished.info.tokens : undefined;
  if (!lastUser || !tokens || !isOverflow({ tokens, model }, rules)) return "proceed";
  const { agent, model: name } = lastUser.info;
  await createCompaction(host, {
    sessionID,
    ...(agent !== undefined && { agent }),
    ...(name && { model: name }),
    auto: true,
  });
  return "requested";
}

/** Repeats steps until the model can be asked, or a compaction has failed. */
export async function compactWhenFull(host: Host, turn: Turn, rules: Lifecycle): Promise<"proceed" | "stop"> {
  for (let steps = 0; steps < LIFECYCLE_STEPS; steps++) {
    const step = await nextStep(host, turn, rules);
    if (step === "proceed" || step === "stop") return step;
  }
  return "stop";
}

/**
 * The state of a session, read from its end. A request is open if neither an answer nor a failed attempt followed it:
 * otherwise a failed request would block every later turn.
 */
function standing(messages: readonly HostMessage[]) {
  const tried = new Set<string | undefined>();
  let pending: HostMessage | undefined;
  let lastUser: HostMessage | undefined;
  for (const message of messages.toReversed()) {
    const { info } = message;
    if (info.role === "assistant" && info.finish)
      return { pending, lastUser: lastUser ?? userBefore(messages, message), lastFinished: message };
    if (isSummary(message) && info.error) tried.add(info.parentID);
    if (info.role !== "user") continue;
    lastUser ??= message;
    // The oldest open request wins.
    if (compactionPart(message) && !tried.has(info.id)) pending = message;
  }
  return { pending, lastUser };
}

const userBefore = (messages: readonly HostMessage[], message: HostMessage) =>
  messages.slice(0, messages.indexOf(message)).findLast(({ info }) => info.role === "user");
