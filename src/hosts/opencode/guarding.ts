// Guards in OpenCode: a call is refused by an error before it, and told a sentence behind its result. OpenCode has no question that a
// plugin can ask, so a call is refused with the same sentence until the user allows it.
import { resolve } from "node:path";
import type { Session } from "../../model.js";
import { asFields, asText } from "../../text/json.js";
import { createInsideJudge } from "../calls/judge-inside.js";
import type { OpenCodeContext } from "./context.js";
import { isTyped } from "./messages.js";

export type CalledTool = { readonly tool: string; readonly sessionID: string; readonly callID: string };

/** Sessions that open each other. */
const DEPTH = 8;

export function createGuarding({ attempt, keep, infoOf, readSession, log }: OpenCodeContext, directory: string) {
  const sentences = new Map<string, string>();
  const judge = createInsideJudge();

  /** Only the session that no other one opened can have words of the user. */
  async function sessionOf(id: string): Promise<Pick<Session, "messages" | "typed">> {
    let root = id;
    for (let depth = 0; depth < DEPTH; depth++) root = (await infoOf(root))?.parentID ?? root;
    const { session, info } = await readSession(root, "guards");
    return { messages: session?.messages ?? [], typed: isTyped(info) };
  }

  return {
    async before({ tool, sessionID: session, callID }: CalledTool, { args }: { readonly args?: unknown }): Promise<void> {
      const folder = resolve(directory, asText(asFields(args).workdir) ?? "");
      const call = { session, tool, input: args, project: directory, folder, asks: false };
      const answer = await attempt("guards", async () => judge(call, keep(), () => sessionOf(session)));
      if (answer?.tell !== undefined) sentences.set(callID, answer.tell);
      if (answer?.reason === undefined) return;
      log("info", `a call of ${tool} is refused by a guard`);
      throw new Error(answer.reason);
    },
    after({ callID }: Pick<CalledTool, "callID">, output: { output?: unknown }): void {
      const text = sentences.get(callID);
      sentences.delete(callID);
      if (text !== undefined && typeof output?.output === "string") output.output = `${output.output}\n\n${text}`;
    },
  };
}
