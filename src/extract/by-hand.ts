// What the user pinned stands, what the user dropped is gone, whatever the rules found.
import type { Extraction, Item } from "../model.js";
import { placeKey } from "./place.js";

/** The source, rule and category of what the user pinned. */
export const PINS = "pinned";

export interface ByHand {
  /** Texts that the user pinned. */
  readonly pins?: readonly string[];
  /** Tells facts that the user dropped. */
  readonly isDropped?: (item: Item) => boolean;
}

type Found = Pick<Extraction, "statements"> & { readonly items: readonly Item[] };

export function applyByHand({ items, statements }: Found, { pins = [], isDropped }: ByHand): Found {
  const kept = isDropped ? items.filter((item) => !isDropped(item)) : items;
  const all = [...toPins(pins), ...kept];
  if (kept.length === items.length) return { items: all, statements };
  // What is dropped is not said either, unless another fact stands on the same words.
  const places = (list: readonly Item[]) => new Set(list.flatMap(({ evidence, also }) => [evidence, ...also]).map(placeKey));
  const standing = places(kept);
  const gone = places(items);
  return { items: all, statements: statements.filter((one) => !gone.has(placeKey(one)) || standing.has(placeKey(one))) };
}

/** A pin is the user's own word: it is its own evidence. Each has a place of its own, as if they stood one below the other. */
function toPins(texts: readonly string[]): readonly Item[] {
  let start = 0;
  return texts.map((text) => {
    const evidence = { source: PINS, start, end: start + text.length, quote: text, rule: PINS };
    start = evidence.end + 1;
    return { kind: "note", text, fields: {}, category: PINS, score: 1, by: "user", status: "active", evidence, also: [] };
  });
}
