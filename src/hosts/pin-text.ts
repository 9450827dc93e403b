// Pins a text that the user types in an agent.
import { redact } from "../extract/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fitsPin, pin, pinId } from "../state/choices.js";
import { whenFree } from "../state/lock.js";

/** A pinned text, masked, with its id if it was stored, otherwise with the reason why not. */
export interface Pinned {
  readonly text: string;
  readonly id?: string;
  readonly why?: "empty" | "long" | "unstored";
}

/** @param unstored is told why it cannot be stored */
export async function pinText(
  folder: string,
  given: string,
  redactions: RuleSet["redactions"],
  unstored: (error: unknown) => void,
  stateFolder?: string,
): Promise<Pinned> {
  const text = redact(given.trim(), redactions);
  if (text === "") return { text, why: "empty" };
  if (!fitsPin(text)) return { text, why: "long" };
  try {
    await whenFree(() => pin(folder, text, stateFolder));
    return { text, id: pinId(text) };
  } catch (error) {
    unstored(error);
    return { text, why: "unstored" };
  }
}
