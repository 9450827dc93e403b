// A quick look whether a phrase may occur in a text, before the words of all of it are cut: most outputs of tools hold none.
import type { Phrase } from "./phrase.js";
import { isAscii, toWords } from "./words.js";

/** Characters in which the first word of a text ends, mostly. */
const HEAD = 40;

export function mayOccur({ anchors, atStart, first }: Phrase, text: string): boolean {
  if (!isAscii(text)) return true;
  if (atStart && first) {
    // What stands last in a beginning may go on behind it.
    const [word, next] = toWords(text.slice(0, HEAD)).folded;
    if (word !== undefined && next !== undefined && !first.has(word)) return false;
  }
  if (anchors.length === 0) return true;
  const lower = text.toLowerCase();
  // A dash may be written as hyphens.
  return anchors.some((anchor) => !isAscii(anchor) || lower.includes(anchor));
}
