// Compiles a phrase: a program over the words of a sentence, and the words that a match needs.

import { type Node, type Slot, toNodes } from "./nodes.js";
import { type Fragments, parsePhrase } from "./parse-phrase.js";
import { type Instruction, toProgram } from "./program.js";

export interface Phrase {
  readonly source: string;
  readonly program: readonly Instruction[];
  readonly slots: readonly Slot[];
  /** Folded words. Every matching text has at least one of them; empty if there are none. */
  readonly anchors: readonly string[];
  /** All such sets of words, smallest first. Every matching text has a word of each set. */
  readonly required: readonly (readonly string[])[];
  /** The words that can begin a match; undefined if any word can. */
  readonly first: ReadonlySet<string> | undefined;
  /** A match can only begin at the start of the text. */
  readonly atStart: boolean;
}

export function compilePhrase(source: string, fragments: Fragments = {}): Phrase {
  const slots: Slot[] = [];
  const nodes = toNodes(parsePhrase(source, fragments), slots);
  const program = toProgram(nodes);
  const required = nodes.flatMap((node) => [anchorsOfNode(node)].filter((set) => set !== undefined));
  required.sort((a, b) => a.length - b.length);
  return { source, program, slots, anchors: anchorsOf(nodes) ?? [], required, ...beginning(program) };
}

/** The possible first words of a match: the words of all instructions that can be reached without reading a word. */
export function beginning(program: readonly Instruction[]): Pick<Phrase, "first" | "atStart"> {
  const first = new Set<string>();
  const seen = new Set<string>();
  let anyWord = false;
  let atStart = true;
  const follow = (pc: number, started: boolean): void => {
    const key = `${pc} ${started}`;
    if (seen.has(key)) return;
    seen.add(key);
    const instruction = program[pc] as Instruction;
    switch (instruction.op) {
      case "split":
        follow(instruction.first, started);
        return follow(instruction.second, started);
      case "switch":
        for (const targets of [...instruction.to.values(), instruction.otherwise])
          for (const target of targets) follow(target, started);
        return;
      case "jump":
        return follow(instruction.to, started);
      case "start":
        return follow(pc + 1, true);
      case "open":
      case "close":
        return follow(pc + 1, started);
      case "word":
        first.add(instruction.word);
        break;
      default:
        anyWord = true;
    }
    atStart &&= started;
  };
  follow(0, false);
  return { first: anyWord ? undefined : first, atStart };
}

/** Does the text have a word of each required set? */
export function mayHold({ required }: Phrase, words: ReadonlySet<string>): boolean {
  for (const set of required) {
    let found = false;
    for (const word of set)
      if (words.has(word)) {
        found = true;
        break;
      }
    if (!found) return false;
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

function worth(anchors: readonly string[] | undefined): number {
  return anchors ? Math.min(...anchors.map((anchor) => anchor.length)) : 0;
}

/** The possible first words of a text that matches one of the phrases; undefined if any word is possible. */
export function firstWords(phrases: readonly Phrase[]): ReadonlySet<string> | undefined {
  const words = new Set<string>();
  for (const { program } of phrases) {
    const [start, first] = program;
    if (start?.op !== "start" || first?.op !== "word") return undefined;
    words.add(first.word);
  }
  return words;
}
