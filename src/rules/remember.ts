// What was worked out for a text is asked for again: for every item below a heading, at every compaction of a session.
import { REMEMBERED_CHARACTERS, REMEMBERED_TEXTS } from "../limits.js";

/** The same work, done once for a text; bounded, because a host's process may run for days. */
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
