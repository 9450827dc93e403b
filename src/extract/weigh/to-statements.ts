// Weighs the sentences of a session for a brief, and completes what the user said: what it answers, and what is settled.
import type { Session, Source, Statement } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Late, Steps } from "../../steps.js";
import { openFailures } from "../calls/failures.js";
import type { ToolFacts } from "../calls/read-tools.js";
import type { Weighed } from "../facts/find-facts.js";
import { applyByHand, type ByHand } from "../settle/by-hand.js";
import type { Updated } from "../settle/settle-items.js";
import type { Signals } from "../signals/signals.js";
import { createRequestOf, withAnswered } from "./answered.js";
import { weigh } from "./salience.js";

type StatementOptions = ByHand & { readonly late?: Late; readonly signals?: boolean };

export function* toStatements(
  { messages }: Session,
  sources: readonly Source[],
  { changedIn, errors }: Pick<ToolFacts, "changedIn" | "errors">,
  weighed: readonly Weighed[],
  signals: Signals,
  settled: Updated,
  rules: RuleSet,
  options: StatementOptions,
): Steps<readonly Statement[]> {
  const change = messages.findIndex(({ id }) => changedIn.has(id));
  const afterChange = new Set(change < 0 ? [] : messages.slice(change + 1).map(({ id }) => id));
  const { late, signals: withSignals } = options;
  const requestOf = createRequestOf(sources, signals);
  const all = yield* weigh(weighed, settled, rules, signals, { afterChange, withSignals, late, requestOf });
  const { statements } = applyByHand({ items: settled.items, statements: all }, options);
  const failed = new Set(openFailures(errors).map(({ source }) => source));
  const failsAfter = (message: string) =>
    messages.slice(messages.findIndex(({ id }) => id === message) + 1).some(({ id }) => failed.has(id));
  return withAnswered(statements, sources, signals, requestOf, failsAfter);
}
