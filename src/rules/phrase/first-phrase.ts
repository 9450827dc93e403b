// The first of several phrases that a text holds, and where.
import type { Words } from "../../text/words.js";
import { matchPhrase, type PhraseMatch } from "./match-phrase.js";
import { mayHold, type Phrase } from "./phrase.js";

/** The characters of the visible text that a match and its slots cover. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly slots: readonly { readonly name: string; readonly type: string; readonly start: number; readonly end: number }[];
}

export function firstPhrase(phrases: readonly Phrase[], words: Words): Match | undefined {
  for (const phrase of phrases) {
    if (!mayHold(phrase, words)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  return undefined;
}

function fromPhrase(phrase: Phrase, found: PhraseMatch, words: Words): Match {
  const start = (from: number) => words.start[from] ?? 0;
  const end = (to: number) => words.end[to - 1] ?? 0;
  const slots: Match["slots"][number][] = [];
  for (const [index, span] of found.slots.entries()) {
    const slot = phrase.slots[index];
    if (slot && span && span.to > span.from)
      slots.push({ name: slot.name, type: slot.type, start: start(span.from), end: end(span.to) });
  }
  return { start: start(found.from), end: end(found.to), slots };
}
