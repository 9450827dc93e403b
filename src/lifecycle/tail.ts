// The newest turns that stay as they are: the model works on with what was said last, not with a retelling of it.
import { jsonText } from "../json-text.js";
import type { Lifecycle } from "../rules/lifecycle-set.js";
import { compactionPart, type HostMessage, type HostModel, type HostPart, isSummary } from "./host.js";
import { usableTokens } from "./overflow.js";
import { estimateTokens } from "./tokens.js";

/** Where the tail begins in messages that are in view; their length when there is none. */
export function findTail(messages: readonly HostMessage[], model: HostModel, rules: Lifecycle): number {
  const { tail } = rules;
  const none = messages.length;
  if (!tail || tail.turns === 0) return none;
  const budget = tail.tokens ?? Math.min(tail.max, Math.max(tail.min, tail.share * usableTokens(model, rules)));
  // The earlier summary and its request stand in front and are always summarised again.
  const first = messages.findIndex((message) => !compactionPart(message) && !isSummary(message));
  if (first < 0) return none;
  let size = 0;
  let turns = 0;
  let turnStart = none;
  let index = none - 1;
  for (; index >= first && turns !== tail.turns; index--) {
    const message = messages[index] as HostMessage;
    size += messageTokens(message, rules);
    if (size > budget || compactionPart(message) || isSummary(message)) break;
    if (message.info.role !== "user") continue;
    turnStart = index;
    turns++;
  }
  // A turn that is too long by itself is split; otherwise turns stay whole.
  const start = turns > 0 ? turnStart : index + 1;
  // Where everything would stay, nothing would be summarised.
  return start > first ? start : none;
}

const messageTokens = ({ parts }: HostMessage, rules: Lifecycle) =>
  parts.reduce((sum, part) => sum + estimateTokens(said(part), rules), 0);

const said = ({ text, state }: HostPart) => `${text ?? ""}${state?.output ?? ""}${jsonText(state?.input)}`;
