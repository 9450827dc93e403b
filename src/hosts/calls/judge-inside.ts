// Guards for an agent that we are a part of. The packs are read once, when the agent starts.
import { fileStamp } from "../../files/folders.js";
import { createAllowance } from "../../guards/allowed.js";
import type { GuardSet, Origin } from "../../guards/guard-set.js";
import type { Session } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { choicesName } from "../../state/choices.js";
import { TRUSTED } from "../../state/spoken.js";
import { stateFile } from "../../state/state.js";
import type { Keeper } from "../keeper.js";
import { type HostCall, judgeCall } from "./judge-call.js";
import { guardSets, guardTexts } from "./prepare.js";

export function createInsideJudge() {
  let known: { readonly sets: readonly GuardSet<RuleSet>[]; readonly stamp: string } | undefined;

  /** Pins and trust may change while the agent runs. */
  function setsNow(keeper: Keeper) {
    const { folder, stateFolder } = keeper;
    const stamp = [choicesName(folder), TRUSTED].map((name) => fileStamp(stateFile(name, stateFolder) ?? "")).join();
    if (known?.stamp !== stamp) known = { sets: guardSets(keeper, folder, stateFolder), stamp };
    return known.sets;
  }

  /** @param sessionOf read only if the user may have allowed the call */
  return async (call: HostCall, keeper: Keeper, sessionOf: () => Promise<Pick<Session, "messages" | "typed">>) => {
    const sets = setsNow(keeper);
    if (sets.length === 0) return undefined;
    const { stateFolder } = keeper;
    const answer = judgeCall(call, sets, guardTexts(), undefined, stateFolder);
    if (answer) return answer;
    const session = await sessionOf();
    const rulesOf = (of: Origin) => (sets.find((set) => set.of === of) as GuardSet<RuleSet>).rules;
    return judgeCall(call, sets, guardTexts(), (of, spoke) => createAllowance(session, rulesOf(of), spoke), stateFolder);
  };
}
