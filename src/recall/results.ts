// What is shown of a search.
import type { Found } from "./store.js";

export const SHOWN_CHARACTERS = 300;

/** Leaves out results whose shown text overlaps that of a better one. */
export function withoutEchoes(found: readonly Found[]): readonly Found[] {
  const kept: Found[] = [];
  for (const one of found)
    if (
      !kept.some(
        (other) =>
          other.path === one.path && other.message === one.message && shownOf(other).includes(one.own.slice(0, SHOWN_CHARACTERS)),
      )
    )
      kept.push(one);
  return kept;
}

/** What is shown: the text with what stands around it. */
export const shownOf = ({ kind, own, near }: Pick<Found, "kind" | "own" | "near">): string =>
  (kind === "run" || near === "" ? `${own}${near === "" ? "" : ` → ${near}`}` : near).slice(0, SHOWN_CHARACTERS);
