// Reuses what the build precomputed for the phrases and patterns of the built-in packs. A phrase is unpacked, and a pattern
// compiled, on first use: there are hundreds, and every command creates them all.
import { packedPhrases, prepared } from "../../config/prepared.js";
import { type Pattern, toPattern } from "../pattern/pattern.js";
import type { Slot } from "../phrase/nodes.js";
import type { Fragments } from "../phrase/parse-phrase.js";
import type { Phrase } from "../phrase/phrase.js";
import { createVocabulary, type Vocabulary } from "../phrase/phrase-code.js";

/** @param words the fragments in use; if a pack changed a built-in one, no precomputed phrase is valid */
export function createPrepared(words: Fragments) {
  if (!prepared || Object.entries(prepared.words).some(([id, text]) => words[id] !== text))
    return { phrase: () => undefined, pattern: () => undefined, word: () => false, vocabulary: createVocabulary() };
  const { phrases, anchored: firstUnanchored, slots, patterns, words: fragments } = prepared;
  const vocabulary = createVocabulary(prepared.vocabulary);
  return {
    vocabulary,
    phrase(source: string, anchored: boolean): Phrase | undefined {
      const at = Object.hasOwn(phrases, source) ? phrases[source] : undefined;
      if (at === undefined || (anchored && at >= firstUnanchored)) return undefined;
      return new PackedPhrase(source, vocabulary, at, slots as readonly (readonly Slot[])[]);
    },
    pattern(source: string, anchored: boolean): Pattern | undefined {
      const known = Object.hasOwn(patterns, source) ? patterns[source] : undefined;
      return known && !(anchored && known.anchors.length === 0) ? toPattern(source, known) : undefined;
    },
    /** Is it a built-in fragment, which is known to be valid? */
    word: (id: string): boolean => Object.hasOwn(fragments, id),
  };
}

// The packed form of a phrase, one character for each number: its list of slots, then lists with their lengths first: the required
// sets, the anchors, the first words, the code.

/** Instead of the number of first words, if a match can begin with any word. */
const ANY_WORD = 50_000;
/** The character of number 0: those before it are control characters and others that need escapes. */
const ZERO = 256;

type Packed = Omit<Phrase, "source" | "vocabulary">;

class PackedPhrase implements Phrase {
  private unpacked: Packed | undefined;

  constructor(
    readonly source: string,
    readonly vocabulary: Vocabulary,
    private readonly at: number,
    private readonly lists: readonly (readonly Slot[])[],
  ) {}

  private get all(): Packed {
    this.unpacked ??= unpackPhrase(packedPhrases(), this.at, this.lists, this.vocabulary);
    return this.unpacked;
  }
  get slots() {
    return this.all.slots;
  }
  get anchors() {
    return this.all.anchors;
  }
  get required() {
    return this.all.required;
  }
  get first() {
    return this.all.first;
  }
  get atStart() {
    return this.all.atStart;
  }
  get code() {
    return this.all.code;
  }
}

/** @param slots the number of its list of slots */
export function packPhrase({ source, required, anchors, first, atStart, code, vocabulary }: Phrase, slots: number): string {
  const list = (numbers: readonly number[]) => [numbers.length, ...numbers];
  const numbers = [
    slots,
    required.length,
    ...required.flatMap(list),
    ...list(anchors.map(vocabulary.number)),
    Number(atStart),
    ...(first ? list([...first]) : [ANY_WORD]),
    ...list(code),
  ];
  if (numbers.some((number) => number > ANY_WORD)) throw new Error(`a number of "${source}" is too large to be packed`);
  return numbers.map((number) => String.fromCharCode(ZERO + number)).join("");
}

function unpackPhrase(packed: string, from: number, lists: readonly (readonly Slot[])[], { words }: Vocabulary): Packed {
  let at = from;
  const next = () => packed.charCodeAt(at++) - ZERO;
  const list = (length = next()) => {
    const numbers: number[] = [];
    for (const end = at + length; at < end; at++) numbers.push(packed.charCodeAt(at) - ZERO);
    return numbers;
  };
  const slots = lists[next()] as readonly Slot[];
  const required = Array.from({ length: next() }, () => list());
  const anchors = list().map((number) => words[number] as string);
  const atStart = next() === 1;
  const length = next();
  const first = length === ANY_WORD ? undefined : new Set(list(length));
  return { slots, required, anchors, atStart, first, code: list() };
}
