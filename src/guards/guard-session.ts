// Where guards meet the calls of a session: as if they had been there.
import type { Session } from "../model.js";
import type { Guard } from "../rules/guard.js";
import { type CallContext, type Met, matchGuards } from "./match-guards.js";

export interface MetCall extends Met {
  /** The message and the number of its call. */
  readonly source: string;
  readonly tool: number;
  readonly call: Session["messages"][number]["toolCalls"][number];
}

export function guardSession(guards: readonly Guard[], { messages, folder }: Session, context: CallContext) {
  const met: MetCall[] = [];
  let unread = 0;
  const here = { ...context, folder: folder ?? context.folder, project: folder ?? context.project };
  for (const { id: source, toolCalls } of messages)
    for (const [tool, call] of toolCalls.entries()) {
      const found = matchGuards(guards, { tool: call.name, input: call.input }, here);
      met.push(...found.met.map((one) => ({ ...one, source, tool, call })));
      if (found.unread) unread++;
    }
  return { met, unread };
}
