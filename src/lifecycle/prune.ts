// Old outputs of tools give way: they are marked, not deleted, and the model reads a note in their place.
import type { Lifecycle } from "../rules/lifecycle-set.js";
import { type Host, type HostMessage, type HostPart, isSummary } from "./host.js";
import { estimateTokens } from "./tokens.js";

export interface Prunable {
  /** Newest first. Empty where too little would be freed. */
  readonly parts: readonly HostPart[];
  /** Estimated tokens beyond those that are protected. */
  readonly pruned: number;
  /** Estimated tokens of all outputs that were looked at. */
  readonly total: number;
}

export function findPrunable(messages: readonly HostMessage[], rules: Lifecycle): Prunable {
  const parts: HostPart[] = [];
  let pruned = 0;
  let total = 0;
  for (const part of rules.prune ? oldOutputs(messages, rules) : []) {
    const tokens = estimateTokens(part.state?.output, rules);
    total += tokens;
    // An output that lies across the line goes whole.
    if (total <= rules.protect) continue;
    pruned += tokens;
    parts.push(part);
  }
  return { parts: pruned > rules.minimum ? parts : [], pruned, total };
}

/** Newest first, up to the last summary or the last output that was pruned: what is older was dealt with then. */
function* oldOutputs(messages: readonly HostMessage[], rules: Lifecycle): Generator<HostPart> {
  let turns = 0;
  for (const message of messages.toReversed()) {
    if (message.info.role === "user") turns++;
    if (turns < rules.turns) continue;
    if (isSummary(message)) return;
    for (const part of message.parts.toReversed()) {
      if (part.type !== "tool" || part.state?.status !== "completed" || rules.keep.has(part.tool ?? "")) continue;
      if (isPruned(part)) return;
      yield part;
    }
  }
}

/** Marks what can be pruned and has the host store it. */
export async function prune(host: Host, sessionID: string, rules: Lifecycle): Promise<Prunable> {
  if (!rules.prune) return { parts: [], pruned: 0, total: 0 };
  const found = findPrunable(await host.messages(sessionID), rules);
  const now = host.now();
  // Newest first would leave older ones behind a mark, unseen from then on, when the host fails half-way.
  for (const part of found.parts.toReversed()) await host.updatePart(marked(part, now));
  return found;
}

/** The messages as the model reads them. */
export function clearPruned<M extends HostMessage>(messages: readonly M[], { cleared }: Lifecycle): readonly M[] {
  return messages.map((message) =>
    message.parts.some(isPruned)
      ? { ...message, parts: message.parts.map((part) => (isPruned(part) ? withState(part, { output: cleared }) : part)) }
      : message,
  );
}

const isPruned = ({ type, state }: HostPart) => type === "tool" && typeof state?.time?.compacted === "number";

const marked = (part: HostPart, now: number) => withState(part, { time: { ...part.state?.time, compacted: now } });

const withState = (part: HostPart, change: object): HostPart => ({
  ...part,
  state: { status: "completed", ...part.state, ...change },
});
