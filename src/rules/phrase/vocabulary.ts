// Numbers the words of phrases. A text's words are looked up once; after that, matching compares numbers.
import type { ReadWords, Words } from "../../text/words.js";

/** The words of all phrases of a rule set. All other words have the number 0. */
export interface Vocabulary {
  /** By their numbers. */
  readonly words: readonly string[];
  /** The number of a word; a new one if it has none yet. */
  readonly number: (word: string) => number;
  /** The numbers of a text's words. */
  readonly read: (words: Words) => ReadWords;
}

/** @param known words in the order of their numbers; the first one is not a word */
export function createVocabulary(known: readonly string[] = [""]): Vocabulary {
  const words = [...known];
  const numbers = new Map(words.map((word, number) => [word, number]));
  const vocabulary: Vocabulary = {
    words,
    number(word) {
      const number = numbers.get(word) ?? words.push(word) - 1;
      numbers.set(word, number);
      return number;
    },
    read(text) {
      const { read } = text;
      // Words that were added since are in no phrase that was matched before.
      if (read && read.by === vocabulary && read.of === words.length) return read;
      text.read = { by: vocabulary, of: words.length, numbers: text.folded.map((word) => numbers.get(word) ?? 0) };
      return text.read;
    },
  };
  return vocabulary;
}
