// Guards for an agent that we are a part of. The packs are read once, when the agent starts.
import { fileStamp } from "../../files/folders.js";
import { createAllowance } from "../../guards/allowed.js";
import type { Session } from "../../model.js";
import { choicesName } from "../../state/choices.js";
import { TRUSTED } from "../../state/spoken.js";
import { stateFile } from "../../state/state.js";
import type { Keeper } from "../keeper.js";
import { type HostCall, judgeCall } from "./judge-call.js";
import { guardsOf, guardTexts } from "./prepare.js";
import { callContext } from "./prepared.js";

export function createInsideJudge() {
  let known: (ReturnType<typeof guardsOf> & { readonly stamp: string }) | undefined;

  /** Pins and trust may change while the agent runs. */
  function guardsNow(keeper: Keeper) {
    const { folder, stateFolder } = keeper;
    const stamp = [choicesName(folder), TRUSTED].map((name) => fileStamp(stateFile(name, stateFolder) ?? "")).join();
    if (known?.stamp !== stamp) known = { ...guardsOf(keeper, folder, stateFolder), stamp };
    return known;
  }

  /** @param sessionOf read only if the user may have allowed the call */
  return async (call: HostCall, keeper: Keeper, sessionOf: () => Promise<Pick<Session, "messages" | "typed">>) => {
    const { guards, untrusted } = guardsNow(keeper);
    if (guards.length === 0) return undefined;
    const { rules, stateFolder } = keeper;
    const prepared = { guards, untrusted, texts: guardTexts(rules) };
    const context = callContext(call.project, call.folder, rules);
    const answer = judgeCall(call, prepared, context, undefined, stateFolder);
    if (answer) return answer;
    const session = await sessionOf();
    return judgeCall(call, prepared, context, (spoke) => createAllowance(session, rules, spoke), stateFolder);
  };
}
