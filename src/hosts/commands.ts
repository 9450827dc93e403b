// The answers to /pin and /carry, for agents that show them to the user without asking a model.
import { PIN_CODE_POINTS } from "../limits.js";
import type { Keeper } from "./keeper.js";

const NOT_PINNED = {
  empty: "nothing is pinned: type /pin TEXT",
  long: `nothing is pinned: a pin can have at most ${PIN_CODE_POINTS} characters`,
  unstored: "nothing is pinned: it cannot be stored",
} as const;

export async function answerPin(typed: string, keeper: Keeper): Promise<string> {
  const { text, id, why = "empty" } = await keeper.pin(typed);
  return id === undefined ? NOT_PINNED[why] : `pinned ${id} ${text}`;
}

/** @param list the facts that would be carried now */
export const answerCarry = (list: string) => list || "nothing would be carried now";
