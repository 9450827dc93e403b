// The user's pins and drops of a project, for a command that reads sessions.
import type { ByHand } from "../extract/by-hand.js";
import { factId, readChoices } from "../keep/choices.js";
import { warn } from "./print.js";

export function choicesFor(folder: string): ByHand {
  const { choices, broken } = readChoices(folder);
  if (broken !== undefined) warn(`note: ${broken}; pins and drops are not used\n`);
  const drops = new Set(choices.drops);
  return { pins: choices.pins, ...(drops.size > 0 && { isDropped: (item) => drops.has(factId(item)) }) };
}
