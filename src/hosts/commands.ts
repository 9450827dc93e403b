// /pin and /carry, which the user types in an agent: pins a text so that every compaction of the project keeps it, and answers for
// agents that show the answer without asking a model.
import { PIN_CODE_POINTS } from "../limits.js";
import { fitsPin, pin, pinId } from "../state/choices.js";
import { whenFree } from "../state/lock.js";
import { type Keeper, unstored } from "./keeper.js";

/** Returns the text, masked, with its id if it was stored, otherwise with the reason why not. */
export async function pinText(
  keeper: Keeper,
  given: string,
): Promise<{ readonly text: string; readonly id?: string; readonly why?: keyof typeof NOT_PINNED }> {
  const text = keeper.mask(given.trim());
  if (text === "") return { text, why: "empty" };
  if (!fitsPin(text)) return { text, why: "long" };
  try {
    await whenFree(() => pin(keeper.folder, text, keeper.stateFolder));
    return { text, id: pinId(text) };
  } catch (error) {
    unstored(keeper, error);
    return { text, why: "unstored" };
  }
}

const NOT_PINNED = {
  empty: "nothing is pinned: type /pin TEXT",
  long: `nothing is pinned: a pin can have at most ${PIN_CODE_POINTS} characters`,
  unstored: "nothing is pinned: it cannot be stored",
} as const;

export async function answerPin(typed: string, keeper: Keeper): Promise<string> {
  const { text, id, why = "empty" } = await pinText(keeper, typed);
  return id === undefined ? NOT_PINNED[why] : `pinned ${id} ${text}`;
}

/** @param list the facts that would be carried now */
export const answerCarry = (list: string) => list || "nothing would be carried now";
