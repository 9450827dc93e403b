// Texts that were cut into segments before: a host that runs on compacts the same session again and again.
import { CACHED_CHARACTERS } from "../limits.js";
import type { Reading } from "../source/markdown.js";
import { readMarkdown } from "../source/markdown.js";

/** By the abbreviations that count, which a rule set has for its whole life. */
const caches = new WeakMap<readonly string[], { readings: Map<string, Reading>; characters: number }>();

export function readOnce(text: string, abbreviations: readonly string[], late?: () => boolean): Reading {
  const cache = caches.get(abbreviations) ?? { readings: new Map<string, Reading>(), characters: 0 };
  caches.set(abbreviations, cache);
  const before = cache.readings.get(text);
  if (before) return before;
  const reading = readMarkdown(text, abbreviations, { late });
  if (reading.unread > 0) return reading;
  cache.readings.set(text, reading);
  cache.characters += text.length;
  // The oldest go first.
  for (const [old] of cache.readings) {
    if (cache.characters <= CACHED_CHARACTERS) break;
    cache.readings.delete(old);
    cache.characters -= old.length;
  }
  return reading;
}
