// Compiles the words of a phrase into code: a list of numbers that the build can store and match-phrase.ts runs as it is.
import { PHRASE_INSTRUCTIONS } from "../../limits.js";
import { type Node, tooLarge } from "./nodes.js";
import type { Vocabulary } from "./vocabulary.js";

// The operations; the build puts their numbers where they are used. Operands follow, as noted.
export const MATCH = 0;
/** A word. */
export const WORD = 1;
export const ANY = 2;
export const CLAUSE = 3;
export const GLUED = 4;
/** Glued, and one of these: how many words, and the words. */
export const AMONG = 5;
export const DIGITS = 6;
export const GLUED_DIGITS = 7;
/** The number of the branch, and two places. */
export const SPLIT = 8;
/** The number of the branch, how many words, where to continue for another word; then each word and where to continue, sorted. */
export const SWITCH = 9;
/** A place. */
export const JUMP = 10;
/** A slot. */
export const OPEN = 11;
export const CLOSE = 12;
export const START = 13;
/** Only punctuation follows. */
export const STOP = 14;
export const CLAUSE_END = 15;
export const END = 16;

/** Where the operations begin: behind the number of branches and their end. */
export const BEGIN = 2;

/**
 * Behind the operations are lists of places, each with its length first. A switch continues at the places of a list, in this
 * order, or at a single place.
 */
export function toCode(nodes: readonly Node[], { number }: Vocabulary): readonly number[] {
  const code = [0, 0];
  const lists: { readonly at: number; readonly places: readonly number[] }[] = [];
  const branch = () => (code[0] as number)++;
  emit(nodes, false, true);
  code.push(MATCH);
  code[1] = code.length;
  for (const { at, places } of lists) {
    code[at] = code.length;
    code.push(places.length, ...places);
  }
  return code;

  /**
   * Emits the nodes. `open`: the last match was a clause, which must reach the clause's end if the phrase ends there.
   * Returns whether a clause is open after the nodes.
   */
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
    if (open && final) code.push(CLAUSE_END);
    return open;
  }

  /** Emits a switch: the next word selects the options that can match, so that not all are tried. */
  function emitOptions(options: readonly (readonly Node[])[], each: (option: readonly Node[]) => unknown): void {
    const firsts = options.map(([first]) => (first?.type === "word" ? number(first.word) : undefined));
    const words = [...new Set(firsts)].filter((word) => word !== undefined).sort((a, b) => a - b);
    code.push(SWITCH, branch(), words.length);
    const otherwise = { at: code.push(0) - 1, places: [] as number[] };
    const known = words.map((word) => ({ word, at: code.push(word, 0) - 1, places: [] as number[] }));
    const exits: number[] = [];
    for (const [index, option] of options.entries()) {
      const first = firsts[index];
      for (const { word, places } of known) if (first === undefined || first === word) places.push(code.length);
      if (first === undefined) otherwise.places.push(code.length);
      each(option);
      if (index < options.length - 1) exits.push(code.push(JUMP, 0) - 1);
    }
    for (const exit of exits) code[exit] = code.length;
    for (const list of [otherwise, ...known])
      if (list.places.length === 1) code[list.at] = list.places[0] as number;
      else lists.push(list);
  }

  function emitNode(node: Exclude<Node, { type: "choice" }>): void {
    const word = (text: string) => code.push(WORD, number(text));
    /** At least once, as few as possible. */
    const lazily = (operation: number) => {
      const from = code.push(operation) - 1;
      code.push(SPLIT, branch(), code.length + 4, from);
    };
    /** Any number of times. */
    const repeatedly = (greedy: boolean, ...body: readonly number[]) => {
      const from = code.length;
      const [inside, after] = [from + 4, from + 4 + body.length + 2];
      code.push(SPLIT, branch(), greedy ? inside : after, greedy ? after : inside, ...body, JUMP, from);
    };
    const between = (before: string, after: string, slot: number) => {
      for (const mark of before) word(mark);
      code.push(OPEN, slot);
      lazily(ANY);
      code.push(CLOSE, slot);
      for (const mark of after) word(mark);
    };
    switch (node.type) {
      case "word":
        return void word(node.word);
      case "start":
        return void code.push(START);
      case "stop":
        return void code.push(STOP);
      case "open":
        return void code.push(OPEN, node.index);
      case "close":
        return void code.push(CLOSE, node.index);
    }
    const what = node.type === "gap" ? "gap" : node.slot;
    if (what === "code") return between("`", "`", node.index);
    if (what === "link") return between("[[", "]]", node.index);
    code.push(OPEN, node.index);
    if (what === "gap") repeatedly(false, ANY);
    else if (what === "clause") lazily(CLAUSE);
    else if (what === "rest") {
      lazily(ANY);
      code.push(END);
    } else if (what === "number") {
      code.push(DIGITS);
      repeatedly(true, AMONG, 2, number("."), number(","), GLUED_DIGITS);
    } else {
      code.push(ANY);
      if (what === "path") {
        repeatedly(false, GLUED);
        code.push(AMONG, 3, number("/"), number("."), number("\\"), GLUED);
      }
      repeatedly(true, GLUED);
    }
    code.push(CLOSE, node.index);
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
      case SPLIT:
        follow(at(pc + 2), started);
        return follow(at(pc + 3), started);
      case SWITCH:
        for (let index = 0; index <= at(pc + 2); index++) {
          const to = at(pc + 3 + 2 * index);
          for (const place of to < at(1) ? [to] : code.slice(to + 1, to + 1 + at(to))) follow(place, started);
        }
        return;
      case JUMP:
        return follow(at(pc + 1), started);
      case START:
        return follow(pc + 1, true);
      case OPEN:
      case CLOSE:
        return follow(pc + 2, started);
      case WORD:
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
