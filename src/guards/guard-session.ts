// Where guards meet the calls of a session: as if they had been there.
import type { Session } from "../model.js";
import type { GuardSet, Tables } from "./guard-set.js";
import { type CallContext, type Met, matchGuards } from "./match-guards.js";

export interface MetCall extends Met {
  /** The message and the number of its call. */
  readonly source: string;
  readonly tool: number;
  readonly call: Session["messages"][number]["toolCalls"][number];
}

/** @param contextOf the context of a folder for the rules of a set */
export function guardSession<T extends Tables>(
  sets: readonly GuardSet<T>[],
  { messages, folder }: Session,
  contextOf: (folder: string | undefined, rules: T) => CallContext,
): readonly MetCall[] {
  const all = sets.map((set) => ({ ...set, context: contextOf(folder, set.rules) }));
  return messages.flatMap(({ id: source, toolCalls }) =>
    toolCalls.flatMap((call, tool) =>
      all.flatMap(({ guards, context }) =>
        matchGuards(guards, { tool: call.name, input: call.input }, context).met.map((one) => ({ ...one, source, tool, call })),
      ),
    ),
  );
}
