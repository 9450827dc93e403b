// A phrase, compiled: a program over the words of a sentence, and the words one of which must occur.
import { type Node, type Slot, toNodes } from "./phrase-nodes.js";
import { type Instruction, toProgram } from "./phrase-program.js";
import { type Fragments, parsePhrase } from "./phrase-syntax.js";

export interface Phrase {
  readonly source: string;
  readonly program: readonly Instruction[];
  readonly slots: readonly Slot[];
  /** Folded words of which at least one occurs in every text that matches; empty when there is none. */
  readonly anchors: readonly string[];
}

export function compilePhrase(source: string, fragments: Fragments = {}): Phrase {
  const slots: Slot[] = [];
  const nodes = toNodes(parsePhrase(source, fragments), slots);
  return { source, program: toProgram(nodes), slots, anchors: anchorsOf(nodes) ?? [] };
}

/** Of all the places where a word must stand, the one whose shortest word is longest. */
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

function worth(anchors: readonly string[] | undefined): number {
  return anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0;
}

/** The words with which every text begins that matches one of the phrases; undefined when any word may. */
export function firstWords(phrases: readonly Phrase[]): ReadonlySet<string> | undefined {
  const words = new Set<string>();
  for (const { program } of phrases) {
    const [start, first] = program;
    if (start?.op !== "start" || first?.op !== "word") return undefined;
    words.add(first.word);
  }
  return words;
}
