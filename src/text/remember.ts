// Caches with a size limit, because a host's process can run for days.
import { REMEMBERED_TEXTS } from "../limits.js";

/** Longest text whose result is cached. Longer texts rarely repeat and would fill the memory. */
const REMEMBERED_CHARACTERS = 1_000;

/** Caches the result for each text: the same texts repeat for every item below a heading and at every compaction. */
export function remember<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > REMEMBERED_CHARACTERS) return work(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = work(text);
    if (known.size >= REMEMBERED_TEXTS) known.clear();
    known.set(text, result);
    return result;
  };
}

/** Caches the result for each object as long as the object lives. */
export const rememberFor = <K extends object, T>(work: (key: K) => T) => rememberIn(new WeakMap<K, T>(), work);

/** Like `rememberFor`, for keys that live as long as the cache: a weak map of many keys takes long to collect. */
export const rememberEach = <K, T>(work: (key: K) => T) => rememberIn(new Map<K, T>(), work);

interface Known<K, T> {
  readonly get: (key: K) => T | undefined;
  readonly set: (key: K, result: T) => unknown;
}

const rememberIn =
  <K, T>(known: Known<K, T>, work: (key: K) => T): ((key: K) => T) =>
  (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = work(key);
    known.set(key, result);
    return result;
  };

/** Caches results for texts of so many characters in all; the oldest are removed first. `isKept` can refuse a result. */
export function rememberWithin<T, More extends readonly unknown[]>(
  characters: number,
  work: (text: string, ...more: More) => T,
  isKept: (result: T) => boolean = () => true,
): (text: string, ...more: More) => T {
  const known = new Map<string, T>();
  // One for all removals: a new one would go past all entries that were removed before.
  const oldest = known.keys();
  let size = 0;
  return (text, ...more) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = work(text, ...more);
    if (!isKept(result)) return result;
    known.set(text, result);
    size += text.length;
    while (size > characters) {
      const { value = "" } = oldest.next();
      known.delete(value);
      size -= value.length;
    }
    return result;
  };
}

/** Adds a value as the newest entry and removes the oldest entries beyond `most`. */
export function keepNewest<T>(map: Map<string, T>, name: string, value: T, most: number): void {
  map.delete(name);
  map.set(name, value);
  for (const [oldest] of map) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
