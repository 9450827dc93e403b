// What a project cannot change, because it may come from anyone: how secrets are masked, and which words count as the user's.
import type { ASKED_SIGNALS } from "../generated/signals.js";
import { isMap } from "./normalise.js";
import type { PackBody, PackEntry } from "./pack.js";

/** These decide which words of the user reach later sessions. */
const FIXED_SIGNALS: readonly (keyof typeof ASKED_SIGNALS)[] = [
  "standing-rule",
  "temporary",
  "shows-text",
  "own-words",
  "points-at-text",
  "adds-on",
];
const FIXED: Partial<Record<keyof PackBody, readonly string[]>> = {
  signals: FIXED_SIGNALS,
  templates: ["standing"],
  budget: ["standing"],
};

/** Only built-in packs declare it. */
export const isReserved = (map: keyof PackBody, id: string): boolean => FIXED[map]?.includes(id) === true;

/** A project may add masks of its own. */
export const isFixed = (map: keyof PackBody, { id, value }: PackEntry<unknown>): boolean =>
  isReserved(map, id) || (map === "rules" && isMap(value) && value.emit === "redact");

/** The fragments that the phrases of fixed signals use, directly or through others. */
export function fixedWords(builtIn: readonly PackBody[]): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (declared: unknown): void => {
    for (const [, id = ""] of (JSON.stringify(declared) ?? "").matchAll(/<([^<>"\\]+)>/g)) {
      if (found.has(id)) continue;
      found.add(id);
      for (const { words } of builtIn) collect(words?.[id]);
    }
  };
  for (const { signals } of builtIn) for (const id of FIXED_SIGNALS) collect(signals?.[id]);
  return found;
}
