// What a later pack says of a declaration, over what earlier ones say.
import { isMap } from "./normalise.js";
import type { Path } from "./yaml.js";

/** Is there anything at this path? */
export function holds(value: unknown, path: Path): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    holds((value as Record<string, unknown>)[key], rest)
  );
}

/** Maps in maps are changed key by key. */
export function mergeMaps(before: unknown, after: unknown): object {
  const result = new Map(Object.entries(before as object));
  for (const [key, value] of Object.entries(after as object)) {
    const earlier = result.get(key);
    result.set(key, isMap(value) && isMap(earlier) ? mergeMaps(earlier, value) : value);
  }
  return Object.fromEntries(result);
}
