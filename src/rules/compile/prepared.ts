// Reuses what the build precomputed for the phrases and patterns of the built-in packs. A phrase is unpacked, and a
// pattern compiled, when a text first contains one of its anchors. Most never are.
import { type PreparedPhrase, phraseAt, prepared, programAt } from "../../config/prepared.js";
import { type Pattern, toPattern } from "../pattern/pattern.js";
import type { Fragments } from "../phrase/parse-phrase.js";
import { beginning, compilePhrase, type Phrase } from "../phrase/phrase.js";
import type { Instruction } from "../phrase/program.js";

const NOTHING = { phrase: () => undefined, pattern: () => undefined, word: () => false };

/** @param words the fragments in use; if a pack changed a built-in one, no precomputed phrase is valid */
export function createPrepared(words: Fragments) {
  if (!prepared || Object.entries(prepared.words).some(([id, text]) => words[id] !== text)) return NOTHING;
  const { phrases, anchored: count, patterns, words: fragments } = prepared;
  return {
    phrase(source: string, anchored: boolean): Phrase | undefined {
      const number = Object.hasOwn(phrases, source) ? phrases[source] : undefined;
      return number === undefined || (anchored && number >= count) ? undefined : new LaterPhrase(source, number, words);
    },
    pattern(source: string, anchored: boolean): Pattern | undefined {
      const known = Object.hasOwn(patterns, source) ? patterns[source] : undefined;
      return known && !(anchored && known.anchors.length === 0) ? toPattern(source, known) : undefined;
    },
    /** Is it a built-in fragment, which is known to be valid? */
    word: (id: string): boolean => Object.hasOwn(fragments, id),
  };
}

/** Unpacks its program on first use: there are hundreds of phrases, and every command creates them all. */
class LaterPhrase implements Phrase {
  private rest: Pick<Phrase, "program" | "first" | "atStart"> | undefined;

  constructor(
    readonly source: string,
    private readonly number: number,
    private readonly words: Fragments,
  ) {}

  private get known() {
    return phraseAt(this.number) as PreparedPhrase;
  }
  get slots() {
    return this.known.slots as Phrase["slots"];
  }
  get anchors() {
    return this.known.anchors;
  }
  get required() {
    return this.known.required;
  }
  get program() {
    return this.unpacked().program;
  }
  get first() {
    return this.unpacked().first;
  }
  get atStart() {
    return this.unpacked().atStart;
  }

  private unpacked() {
    if (this.rest) return this.rest;
    const packed = programAt(this.number);
    const program = packed === undefined ? undefined : unpackProgram(packed);
    this.rest = program ? { program, ...beginning(program) } : compilePhrase(this.source, this.words);
    return this.rest;
  }
}

/** A compact form: a word is a string, a jump a number, a split a pair of numbers. */
export const packProgram = (program: readonly Instruction[]): string =>
  JSON.stringify(
    program.map((one) => {
      if (one.op === "split") return [one.first, one.second];
      if (one.op === "switch") return { ...one, to: [...one.to] };
      return one.op === "word" ? one.word : one.op === "jump" ? one.to : one;
    }),
  );

function unpackProgram(packed: string): readonly Instruction[] {
  const program: readonly (string | number | readonly [number, number] | Instruction)[] = JSON.parse(packed);
  return program.map((one): Instruction => {
    if (typeof one === "string") return { op: "word", word: one };
    if (typeof one === "number") return { op: "jump", to: one };
    if (!("op" in one)) return { op: "split", first: one[0], second: one[1] };
    return one.op === "switch" ? { ...one, to: new Map(one.to) } : one;
  });
}
