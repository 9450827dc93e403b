// In which order the words of a fact stand, as they are told and as a doer would tell them.
import type { Indexed } from "./audit-index.js";
import type { Hit, Profile } from "./audit-overlap.js";

/** Where a vague word stands tells nothing. */
export function withoutVague(hits: readonly Hit[], { content }: Profile): readonly Hit[] {
  const found = hits.filter(({ key }) => !content.get(key)?.term.vague);
  return found.length === 0 ? hits : found;
}

/** The hits as one who does it would tell them. */
export const byVoice = (hits: readonly Hit[], { ranks }: Indexed): readonly Hit[] =>
  [...hits].sort((a, b) => (ranks[a.at] as number) - (ranks[b.at] as number));

export const rankOf = ({ content, prepared }: Profile, key: string): number => prepared.ranks[content.get(key)?.at ?? 0] ?? 0;

/** Length of the longest strictly rising subsequence. */
export function rising(hits: readonly Hit[], placeOf: (key: string) => number): number {
  const tails: number[] = [];
  for (const { key } of hits) {
    const number = placeOf(key);
    let at = tails.length;
    while (at > 0 && (tails[at - 1] as number) >= number) at--;
    tails[at] = number;
  }
  return tails.length;
}
