// Applies pins and drops: pinned texts become facts, dropped facts are removed.
import { type Extraction, type Item, placeKey } from "../../model.js";

/** Source, rule and category of pins. */
export const PINS = "pinned";

export type ByHand = { readonly pins?: readonly string[]; readonly isDropped?: (item: Item) => boolean };

type Found = Pick<Extraction, "statements"> & { readonly items: readonly Item[] };

export function applyByHand({ items, statements }: Found, { pins = [], isDropped }: ByHand): Found {
  const kept = isDropped ? items.filter((item) => !isDropped(item)) : items;
  const all = [...toPins(pins), ...kept];
  if (kept.length === items.length) return { items: all, statements };
  // Also remove the statements of dropped facts, unless a kept fact has the same place.
  const places = (list: readonly Item[]) => new Set(list.flatMap(({ evidence, also }) => [evidence, ...also]).map(placeKey));
  const standing = places(kept);
  const gone = places(items);
  return { items: all, statements: statements.filter((one) => !gone.has(placeKey(one)) || standing.has(placeKey(one))) };
}

/** A pin is its own evidence. Each pin gets its own offsets, as if all pins were lines of one text. */
function toPins(texts: readonly string[]): readonly Item[] {
  let start = 0;
  return texts.map((text) => {
    const evidence = { source: PINS, start, end: start + text.length, quote: text, rule: PINS };
    start = evidence.end + 1;
    return { kind: "note", text, fields: {}, category: PINS, score: 1, by: "user", status: "active", evidence, also: [] };
  });
}
