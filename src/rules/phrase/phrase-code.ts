// Compiles the words of a phrase into code: a list of numbers that the build can store and match-phrase.ts runs as it is.
import { PHRASE_INSTRUCTIONS } from "../../limits.js";
import type { ReadWords, Words } from "../../text/words.js";
import { type Node, tooLarge } from "./nodes.js";

/** The operations. Operands follow, as noted. An enum, so that the build puts the numbers where they are used. */
// biome-ignore lint/suspicious/noConstEnum: a switch over literal numbers is fastest.
export const enum Op {
  MATCH = 0,
  /** A word. */
  WORD = 1,
  ANY = 2,
  CLAUSE = 3,
  GLUED = 4,
  /** Glued, and one of these: how many words, and the words. */
  AMONG = 5,
  DIGITS = 6,
  GLUED_DIGITS = 7,
  /** The number of the branch, and two places. */
  SPLIT = 8,
  /** The number of the branch, how many words, where to continue for another word; then each word and where to continue, sorted. */
  SWITCH = 9,
  /** A place. */
  JUMP = 10,
  /** A slot. */
  OPEN = 11,
  CLOSE = 12,
  START = 13,
  /** Only punctuation follows. */
  STOP = 14,
  CLAUSE_END = 15,
  END = 16,
}

/** Where the operations begin: behind the number of branches and their end. */
export const BEGIN = 2;

/** Behind the operations are lists of places, each with its length first. A switch continues at the places of a list, in this
 * order, or at a single place. */
export function toCode(nodes: readonly Node[], { number }: Vocabulary): readonly number[] {
  const code = [0, 0];
  const lists: { readonly at: number; readonly places: readonly number[] }[] = [];
  const branch = () => (code[0] as number)++;
  emit(nodes, false, true);
  code.push(Op.MATCH);
  code[1] = code.length;
  for (const { at, places } of lists) {
    code[at] = code.length;
    code.push(places.length, ...places);
  }
  return code;

  /** Emits the nodes. `open`: the last match was a clause, which must reach the clause's end if the phrase ends there. Returns
   * whether a clause is open after the nodes. */
  function emit(nodes: readonly Node[], open: boolean, final: boolean): boolean {
    for (const [index, node] of nodes.entries()) {
      if (code.length > PHRASE_NUMBERS) throw tooLarge();
      if (node.type !== "choice") {
        emitNode(node);
        open = opens(node, open);
        continue;
      }
      const ends = outcomes([node], open);
      if (ends.size === 1) {
        emitOptions(node.options, (option) => emit(option, open, false));
        open = ends.has(true);
        continue;
      }
      // The options end differently, so the rest is compiled separately for each of them.
      const rest = nodes.slice(index + 1);
      let after = open;
      emitOptions(node.options, (option) => {
        after = emit([...option, ...rest], open, final);
      });
      return after;
    }
    if (open && final) code.push(Op.CLAUSE_END);
    return open;
  }

  /** Emits a switch: the next word selects the options that can match, so that not all are tried. */
  function emitOptions(options: readonly (readonly Node[])[], each: (option: readonly Node[]) => unknown): void {
    const firsts = options.map(([first]) => (first?.type === "word" ? number(first.word) : undefined));
    const words = [...new Set(firsts)].filter((word) => word !== undefined).sort((a, b) => a - b);
    code.push(Op.SWITCH, branch(), words.length);
    const otherwise = { at: code.push(0) - 1, places: [] as number[] };
    const known = words.map((word) => ({ word, at: code.push(word, 0) - 1, places: [] as number[] }));
    const exits: number[] = [];
    for (const [index, option] of options.entries()) {
      const first = firsts[index];
      for (const { word, places } of known) if (first === undefined || first === word) places.push(code.length);
      if (first === undefined) otherwise.places.push(code.length);
      each(option);
      if (index < options.length - 1) exits.push(code.push(Op.JUMP, 0) - 1);
    }
    for (const exit of exits) code[exit] = code.length;
    for (const list of [otherwise, ...known])
      if (list.places.length === 1) code[list.at] = list.places[0] as number;
      else lists.push(list);
  }

  function emitNode(node: Exclude<Node, { type: "choice" }>): void {
    const word = (text: string) => code.push(Op.WORD, number(text));
    /** At least once, as few as possible. */
    const lazily = (operation: number) => {
      const from = code.push(operation) - 1;
      code.push(Op.SPLIT, branch(), code.length + 4, from);
    };
    /** Any number of times. */
    const repeatedly = (greedy: boolean, ...body: readonly number[]) => {
      const from = code.length;
      const [inside, after] = [from + 4, from + 4 + body.length + 2];
      code.push(Op.SPLIT, branch(), greedy ? inside : after, greedy ? after : inside, ...body, Op.JUMP, from);
    };
    const between = (before: string, after: string, slot: number) => {
      for (const mark of before) word(mark);
      code.push(Op.OPEN, slot);
      lazily(Op.ANY);
      code.push(Op.CLOSE, slot);
      for (const mark of after) word(mark);
    };
    switch (node.type) {
      case "word":
        return void word(node.word);
      case "start":
        return void code.push(Op.START);
      case "stop":
        return void code.push(Op.STOP);
      case "open":
        return void code.push(Op.OPEN, node.index);
      case "close":
        return void code.push(Op.CLOSE, node.index);
    }
    const what = node.type === "gap" ? "gap" : node.slot;
    if (what === "code") return between("`", "`", node.index);
    if (what === "link") return between("[[", "]]", node.index);
    code.push(Op.OPEN, node.index);
    if (what === "gap") repeatedly(false, Op.ANY);
    else if (what === "clause") lazily(Op.CLAUSE);
    else if (what === "rest") {
      lazily(Op.ANY);
      code.push(Op.END);
    } else if (what === "number") {
      code.push(Op.DIGITS);
      repeatedly(true, Op.AMONG, 2, number("."), number(","), Op.GLUED_DIGITS);
    } else {
      code.push(Op.ANY);
      if (what === "path") {
        repeatedly(false, Op.GLUED);
        code.push(Op.AMONG, 3, number("/"), number("."), number("\\"), Op.GLUED);
      }
      repeatedly(true, Op.GLUED);
    }
    code.push(Op.CLOSE, node.index);
  }
}

/** An operation and its operands take about four numbers. */
const PHRASE_NUMBERS = PHRASE_INSTRUCTIONS * 4;

const opens = (node: Node, before: boolean): boolean =>
  node.type === "gap" ||
  (node.type === "slot" && node.slot === "clause") ||
  ((node.type === "open" || node.type === "close") && before);

/** How the nodes can end: with an open clause, without one, or both. */
function outcomes(nodes: readonly Node[], open: boolean): ReadonlySet<boolean> {
  let states = new Set([open]);
  for (const node of nodes) {
    const next = new Set<boolean>();
    for (const state of states) {
      if (node.type !== "choice") next.add(opens(node, state));
      else for (const option of node.options) for (const end of outcomes(option, state)) next.add(end);
    }
    states = next;
  }
  return states;
}

/** The possible first words of a match, undefined if any word can begin it; and whether it can only begin at the start of a text. */
export function beginning(code: readonly number[]): {
  readonly first: ReadonlySet<number> | undefined;
  readonly atStart: boolean;
} {
  const first = new Set<number>();
  const seen = new Set<number>();
  let anyWord = false;
  let atStart = true;
  const at = (pc: number) => code[pc] as number;
  const follow = (pc: number, started: boolean): void => {
    const visit = pc * 2 + Number(started);
    if (seen.has(visit)) return;
    seen.add(visit);
    switch (at(pc)) {
      case Op.SPLIT:
        follow(at(pc + 2), started);
        return follow(at(pc + 3), started);
      case Op.SWITCH:
        for (let index = 0; index <= at(pc + 2); index++) {
          const to = at(pc + 3 + 2 * index);
          for (const place of to < at(1) ? [to] : code.slice(to + 1, to + 1 + at(to))) follow(place, started);
        }
        return;
      case Op.JUMP:
        return follow(at(pc + 1), started);
      case Op.START:
        return follow(pc + 1, true);
      case Op.OPEN:
      case Op.CLOSE:
        return follow(pc + 2, started);
      case Op.WORD:
        first.add(at(pc + 1));
        break;
      default:
        anyWord = true;
    }
    atStart &&= started;
  };
  follow(BEGIN, false);
  return { first: anyWord ? undefined : first, atStart };
}

/** The words of all phrases of a rule set, with numbers; all other words have the number 0. A text's words are looked up once;
 * after that, matching compares numbers. */
export interface Vocabulary {
  /** By their numbers. */
  readonly words: readonly string[];
  /** The number of a word; a new one if it has none yet. */
  readonly number: (word: string) => number;
  /** The numbers of a text's words. */
  readonly read: (words: Words) => ReadWords;
  /** Which words a text has, until the next text is asked for: all whose mark, by number, is `now`. */
  readonly marksOf: (words: Words) => { readonly marks: Uint32Array; readonly now: number };
}

/** @param known words in the order of their numbers; the first one is not a word */
export function createVocabulary(known: readonly string[] = [""]): Vocabulary {
  const words = [...known];
  const numbers = new Map(words.map((word, number) => [word, number]));
  // One list for all texts: a set for each of them takes longer to build than to use.
  const marked = { marks: new Uint32Array(0), now: 0, read: undefined as ReadWords | undefined };
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
    marksOf(text) {
      const read = vocabulary.read(text);
      if (read === marked.read) return marked;
      marked.read = read;
      if (marked.marks.length < words.length) marked.marks = new Uint32Array(words.length * 2);
      marked.now++;
      for (const number of read.numbers) marked.marks[number] = marked.now;
      return marked;
    },
  };
  return vocabulary;
}
