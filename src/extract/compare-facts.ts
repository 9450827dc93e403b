// Which facts a session gains and loses with other rules.
import { type Item, placeKey } from "../model.js";

export type Difference = { readonly gained: readonly Item[]; readonly lost: readonly Item[] };

/** Only facts that count. A fact that is merged into another one in the same words is not lost. */
export function compareFacts(before: readonly Item[], now: readonly Item[]): Difference {
  return { gained: withoutThose(now, before), lost: withoutThose(before, now) };
}

function withoutThose(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  const known = new Set(others.filter(isActive).flatMap(keysOf));
  return items.filter((item) => isActive(item) && !known.has(keysOf(item)[0] as string));
}

const isActive = ({ status }: Item) => status === "active";
const keysOf = ({ kind, text, evidence, also }: Item) =>
  [evidence, ...also].map((place) => `${kind}\n${text}\n${placeKey(place)}`);
