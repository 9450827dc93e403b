// The user's pins and drops of a project, for a command that reads sessions.
import type { ByHand } from "../extract/by-hand.js";
import { chosenIn, readChoices } from "../keep/choices.js";
import { warn } from "./print.js";

export function choicesFor(folder: string): ByHand {
  const { choices, broken } = readChoices(folder);
  if (broken !== undefined) warn(`note: ${broken}; pins and drops are not used\n`);
  return chosenIn(choices);
}
