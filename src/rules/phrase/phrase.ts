// Compiles a phrase: code that runs over the words of a sentence, and the words that a match needs.

import type { Words } from "../../text/words.js";
import { type Node, type Slot, toNodes } from "./nodes.js";
import { type Fragments, parsePhrase } from "./parse-phrase.js";
import { beginning, createVocabulary, toCode, type Vocabulary } from "./phrase-code.js";

export interface Phrase {
  readonly source: string;
  readonly slots: readonly Slot[];
  /** Folded words. Every matching text has at least one of them; empty if there are none. */
  readonly anchors: readonly string[];
  /** All such sets of words by number, smallest first. Every matching text has a word of each set. */
  readonly required: readonly (readonly number[])[];
  /** The words that can begin a match; undefined if any word can. */
  readonly first: ReadonlySet<number> | undefined;
  /** A match can only begin at the start of the text. */
  readonly atStart: boolean;
  readonly code: readonly number[];
  /** Numbers its words. */
  readonly vocabulary: Vocabulary;
}

export function compilePhrase(source: string, fragments: Fragments = {}, vocabulary: Vocabulary = createVocabulary()): Phrase {
  const slots: Slot[] = [];
  const nodes = toNodes(parsePhrase(source, fragments), slots);
  const code = toCode(nodes, vocabulary);
  const required = nodes.flatMap((node) => [anchorsOfNode(node)?.map(vocabulary.number)].filter((set) => set !== undefined));
  required.sort((a, b) => a.length - b.length);
  return { source, slots, anchors: anchorsOf(nodes) ?? [], required, ...beginning(code), code, vocabulary };
}

/** Does the text have a word of each required set? */
export function mayHold({ required, vocabulary }: Phrase, words: Words): boolean {
  const { marks, now } = vocabulary.marksOf(words);
  next: for (let at = 0; at < required.length; at++) {
    const set = required[at] as readonly number[];
    for (let one = 0; one < set.length; one++) if (marks[set[one] as number] === now) continue next;
    return false;
  }
  return true;
}

/** Of all sets of words that a match needs, the one whose shortest word is longest. */
function anchorsOf(nodes: readonly Node[]): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  for (const node of nodes) {
    const found = anchorsOfNode(node);
    if (found && worth(found) > worth(best)) best = found;
  }
  return best;
}

function anchorsOfNode(node: Node): readonly string[] | undefined {
  if (node.type === "word") return [node.word];
  if (node.type !== "choice") return undefined;
  const options = node.options.map(anchorsOf);
  return options.every((option) => option !== undefined) ? [...new Set(options.flat())] : undefined;
}

const worth = (anchors: readonly string[] | undefined): number =>
  anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0;

/** The possible first words of a text that matches one of the phrases; undefined if any word is possible. */
export function firstWords(phrases: readonly Phrase[]): ReadonlySet<string> | undefined {
  const words = new Set<string>();
  for (const { first, atStart, vocabulary } of phrases) {
    if (!first || !atStart) return undefined;
    for (const number of first) words.add(vocabulary.words[number] as string);
  }
  return words;
}
