// Phrases and patterns of the built-in packs: what was found out about them when the program was built is taken as it is,
// and each is compiled when a text first holds one of its anchors. Most never are.
import { prepared } from "../config/prepared.js";
import { type Pattern, toPattern } from "./pattern.js";
import { compilePhrase, type Phrase } from "./phrase.js";
import type { Fragments } from "./phrase-syntax.js";

const NOTHING = { phrase: () => undefined, pattern: () => undefined, word: () => false };

/** @param words the named fragments that hold; where a pack has changed one, nothing is known of phrases */
export function createPrepared(words: Fragments) {
  if (!prepared || Object.entries(prepared.words).some(([id, text]) => words[id] !== text)) return NOTHING;
  const { phrases, patterns, words: fragments } = prepared;
  return {
    phrase: (source: string): Phrase | undefined =>
      Object.hasOwn(phrases, source) ? laterPhrase(source, phrases[source] as object, words) : undefined,
    pattern(source: string, anchored: boolean): Pattern | undefined {
      const known = Object.hasOwn(patterns, source) ? patterns[source] : undefined;
      return known && !(anchored && known.anchors.length === 0) ? toPattern(source, known, known.groups) : undefined;
    },
    /** Is the fragment one that is known to be right? */
    word: (id: string): boolean => Object.hasOwn(fragments, id),
  };
}

function laterPhrase(source: string, known: object, words: Fragments): Phrase {
  let phrase: Phrase | undefined;
  const compiled = () => {
    phrase ??= compilePhrase(source, words);
    return phrase;
  };
  return {
    source,
    ...(known as Pick<Phrase, "slots" | "anchors" | "required">),
    get program() {
      return compiled().program;
    },
    get first() {
      return compiled().first;
    },
    get atStart() {
      return compiled().atStart;
    },
  };
}
