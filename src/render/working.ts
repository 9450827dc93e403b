// Chooses the part of the working set that a text shows: a limited share of its tokens, divided between the lists.
import type { WorkingSet } from "../model.js";
import { estimateOf } from "./tokens.js";

/** The lists that share the room, and their parts of it. */
const PARTS = { files: 4, names: 5, commands: 2, references: 1, skills: 1 } as const;
/** With less room per list, only the first lists are shown: each one needs a line of its own. */
const LIST_TOKENS = 40;

export interface WorkingEntry {
  readonly of: keyof typeof PARTS;
  readonly text: string;
}

/** Below this budget, the share of the working set shrinks with it: what was said matters more. */
const FULL_SHARE_TOKENS = 1_000;

/** The share of a template that does not say one. */
const DEFAULT_SHARE = 0.2;

/** The tokens for the working set in a text. */
export const workingTokens = (budget: number, share = DEFAULT_SHARE): number =>
  share * budget * Math.min(1, budget / FULL_SHARE_TOKENS);

/** Each list gives its first entries, so that all lists use up their parts at the same pace. */
export function chooseWorking(working: WorkingSet, tokens: number, shorten: (path: string) => string): readonly WorkingEntry[] {
  const lists = Object.entries(PARTS).slice(0, Math.floor(tokens / LIST_TOKENS));
  const all = lists.flatMap(([list, part]) => {
    const of = list as keyof typeof PARTS;
    let used = 0;
    return working[of].map((text) => {
      const cost = estimateOf(of === "files" ? shorten(text) : text) + 1;
      used += cost;
      return { of, text, cost, at: used / part };
    });
  });
  let left = tokens;
  let chosen = "";
  return all
    .sort((a, b) => a.at - b.at)
    .filter(({ text, cost }) => {
      if (cost > left || chosen.includes(text)) return false;
      left -= cost;
      chosen += `${text}\n`;
      return true;
    })
    .map(({ of, text }) => ({ of, text }));
}
