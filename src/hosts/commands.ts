// /pin, /carry and /handoff, which the user types in an agent: pins a text so that every compaction of the project keeps it, and answers for
// agents that show the answer without asking a model.
import { parseOn, shownOn, splitTyped, THEN, USUAL_THEN } from "../guards/pinned.js";
import { PIN_CODE_POINTS } from "../limits.js";
import { ownRules } from "../rules/load-rules.js";
import { fitsPin, pin, pinId } from "../state/choices.js";
import { whenFree } from "../state/lock.js";
import { type Keeper, unstored } from "./keeper.js";

interface Pinned {
  readonly text: string;
  readonly id?: string;
  readonly guard?: string;
  readonly why?: keyof typeof NOT_PINNED;
}

/** Returns the text, masked, with its id if it was stored, otherwise with the reason why not. */
export async function pinText(keeper: Keeper, given: string): Promise<Pinned> {
  const { text: typed, on, then = USUAL_THEN } = splitTyped(given.trim());
  const text = keeper.mask(typed);
  if (text === "") return { text, why: "empty" };
  const call = on === undefined ? undefined : parseOn(on, ownRules());
  const does = THEN.find((one) => one === then);
  if ((on !== undefined && !call) || !does) return { text, why: "call" };
  if (!fitsPin(text)) return { text, why: "long" };
  try {
    await whenFree(() => pin(keeper.folder, text, keeper.stateFolder, call && { on: call, does }));
    return { text, id: pinId(text), ...(call && { guard: `guard ${does} ${shownOn(call)}` }) };
  } catch (error) {
    unstored(keeper, error);
    return { text, why: "unstored" };
  }
}

const NOT_PINNED = {
  empty: "nothing is pinned: type /pin TEXT",
  long: `nothing is pinned: a pin can have at most ${PIN_CODE_POINTS} characters`,
  call: "nothing is pinned: type /pin TEXT --on 'edit:src/**', and --then tell, once, ask or refuse",
  unstored: "nothing is pinned: it cannot be stored",
} as const;

/** @param unheard where the guard does not speak yet */
export async function answerPin(typed: string, keeper: Keeper, unheard = async () => ""): Promise<string> {
  const { text, id, guard, why = "empty" } = await pinText(keeper, typed);
  if (id === undefined) return NOT_PINNED[why];
  return `pinned ${id} ${text}${guard === undefined ? "" : `\n${guard}\n${await unheard()}`}`.trimEnd();
}

/** @param list the facts that would be carried now */
export const answerCarry = (list: string) => list || "nothing would be carried now";

/** @param text for another agent */
export const answerHandoff = (text: string) => text || "nothing was found that could be handed over";
