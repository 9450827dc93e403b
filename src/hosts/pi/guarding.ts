// Guards in pi: a call is blocked before it runs, asked about in a dialog, and told a sentence behind its result.
import type { Message } from "../../model.js";
import { createInsideJudge } from "../calls/judge-inside.js";
import type { Keeper } from "../keeper.js";
import type { PiApi, PiContext } from "./api.js";

interface Surroundings {
  readonly keep: (cwd: string) => Keeper;
  /** pi refuses a call if the handler throws. */
  readonly quietly: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  readonly messagesOf: (context: PiContext) => readonly Message[];
}

const QUESTION = "Run this call?";

export function guardCalls(pi: PiApi, { keep, quietly, messagesOf }: Surroundings): void {
  const told = new Map<string, string>();
  const judge = createInsideJudge();

  pi.on("tool_call", ({ toolName: tool, toolCallId: id, input }, context) =>
    quietly(async () => {
      const { cwd, sessionManager, hasUI: asks = false, ui } = context;
      const keeper = keep(cwd);
      if (!keeper.enabled) return undefined;
      const session = sessionManager.getSessionId?.() ?? "";
      const call = { session, tool, input, project: cwd, folder: cwd, asks };
      const answer = await judge(call, keeper, async () => messagesOf(context));
      if (answer?.tell !== undefined) told.set(id, answer.tell);
      if (answer?.shown !== undefined) ui?.notify(answer.shown);
      const { reason } = answer ?? {};
      if (reason === undefined || (answer?.call === "ask" && (await ui?.confirm?.(QUESTION, reason)))) return undefined;
      return { block: true, reason };
    }),
  );
  pi.on("tool_result", async ({ toolCallId: id, content }) => {
    const text = told.get(id);
    told.delete(id);
    return text === undefined ? undefined : { content: [...content, { type: "text", text }] };
  });
}
