// Guards in OpenCode: a call is refused by an error before it, and told a sentence behind its result. OpenCode has no question that a
// plugin can ask, so a call is refused with the same sentence until the user allows it.
import { resolve } from "node:path";
import { fileStamp } from "../../files/folders.js";
import { createAllowance } from "../../guards/allowed.js";
import type { Message } from "../../model.js";
import { choicesName } from "../../state/choices.js";
import { TRUSTED } from "../../state/spoken.js";
import { stateFile } from "../../state/state.js";
import { asFields, asText } from "../../text/json.js";
import { type CallAnswer, type HostCall, judgeCall } from "../calls/judge-call.js";
import { guardsOf, guardTexts } from "../calls/prepare.js";
import { callContext } from "../calls/prepared.js";
import type { Keeper } from "../keeper.js";
import type { OpenCodeContext } from "./context.js";

export interface CalledTool {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

/** Sessions that open each other. */
const DEPTH = 8;

export function createGuarding({ guarded, ifOn, infoOf, readSession, log }: OpenCodeContext, directory: string) {
  const told = new Map<string, string>();
  let known: (ReturnType<typeof guardsOf> & { readonly stamp: string }) | undefined;

  /** Pins and trust may change while OpenCode runs; packs are read when it starts. */
  function guardsNow(keeper: Keeper) {
    const stamp = [choicesName(directory), TRUSTED].map((name) => fileStamp(stateFile(name, keeper.stateFolder) ?? "")).join();
    if (known?.stamp !== stamp) known = { ...guardsOf(keeper, directory, keeper.stateFolder), stamp };
    return known;
  }

  /** Only the session that no other one opened has words of the user. */
  async function messagesOf(id: string): Promise<readonly Message[]> {
    let root = id;
    for (let depth = 0; depth < DEPTH; depth++) root = (await infoOf(root))?.parentID ?? root;
    return (await readSession(root, "guards")).session?.messages ?? [];
  }

  async function judge(call: HostCall, keeper: Keeper): Promise<CallAnswer | undefined> {
    const { guards, untrusted } = guardsNow(keeper);
    if (guards.length === 0) return undefined;
    const { rules, stateFolder } = keeper;
    const prepared = { guards, untrusted, texts: guardTexts(rules) };
    const context = callContext(directory, call.folder, rules);
    const answer = judgeCall(call, prepared, context, undefined, stateFolder);
    if (answer) return answer;
    const messages = await messagesOf(call.session);
    return judgeCall(call, prepared, context, (spoke) => createAllowance(messages, rules, spoke), stateFolder);
  }

  return {
    async before({ tool, sessionID: session, callID }: CalledTool, { args }: { readonly args?: unknown }): Promise<void> {
      const folder = resolve(directory, asText(asFields(args).workdir) ?? "");
      const call = { session, tool, input: args, project: directory, folder, asks: false };
      const answer = await guarded("guards", async () => ifOn((keeper) => judge(call, keeper))());
      if (answer?.tell !== undefined) told.set(callID, answer.tell);
      if (answer?.reason === undefined) return;
      log("info", `a call of ${tool} is refused by a guard`);
      throw new Error(answer.reason);
    },
    after({ callID }: Pick<CalledTool, "callID">, output: { output?: unknown }): void {
      const text = told.get(callID);
      told.delete(callID);
      if (text !== undefined && typeof output?.output === "string") output.output = `${output.output}\n\n${text}`;
    },
  };
}
