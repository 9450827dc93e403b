// Writes a program as a list of numbers, which the build can store and match-phrase.ts runs as it is.

import type { Instruction } from "./program.js";
import type { Vocabulary } from "./vocabulary.js";

// The operations; the build puts their numbers where they are used. Those with operands have them behind, as noted.
export const MATCH = 0;
/** A word's number. */
export const WORD = 1;
export const ANY = 2;
export const CLAUSE = 3;
export const GLUED = 4;
/** How many words, and their numbers. */
export const AMONG = 5;
export const DIGITS = 6;
export const GLUED_DIGITS = 7;
/** Its branch number, and two places. */
export const SPLIT = 8;
/** Its branch number, how many words, where to continue for other words; then each word and where to continue, by number. */
export const SWITCH = 9;
/** A place. */
export const JUMP = 10;
/** A slot. */
export const OPEN = 11;
export const CLOSE = 12;
export const START = 13;
export const STOP = 14;
export const CLAUSE_END = 15;
export const END = 16;

const PLAIN = { match: MATCH, any: ANY, clause: CLAUSE, start: START, stop: STOP, "clause-end": CLAUSE_END, end: END };

/**
 * First come the number of branches and the end of the code. Behind the code are lists of places, for a switch that has not
 * exactly one place to continue for a word; each has its length first.
 */
export function toCode(program: readonly Instruction[], { number }: Vocabulary): readonly number[] {
  const code = [0, 0];
  const begins: number[] = [];
  /** Operands that are instructions, to be replaced with their places. */
  const places: number[] = [];
  const lists: { readonly at: number; readonly targets: readonly number[] }[] = [];
  let branches = 0;
  const place = (target: number) => places.push(code.push(target) - 1);
  const list = (targets: readonly number[]) =>
    targets.length === 1 ? place(targets[0] as number) : lists.push({ at: code.push(0) - 1, targets });
  for (const one of program) {
    begins.push(code.length);
    switch (one.op) {
      case "word":
        code.push(WORD, number(one.word));
        break;
      case "glued":
        if (one.among) code.push(AMONG, one.among.length, ...one.among.map(number));
        else code.push(GLUED);
        break;
      case "digits":
        code.push(one.glued ? GLUED_DIGITS : DIGITS);
        break;
      case "split":
        code.push(SPLIT, branches++);
        place(one.first);
        place(one.second);
        break;
      case "switch": {
        code.push(SWITCH, branches++, one.to.size);
        list(one.otherwise);
        const sorted = [...one.to].map(([word, targets]) => ({ word: number(word), targets })).sort((a, b) => a.word - b.word);
        for (const { word, targets } of sorted) {
          code.push(word);
          list(targets);
        }
        break;
      }
      case "jump":
        code.push(JUMP);
        place(one.to);
        break;
      case "open":
      case "close":
        code.push(one.op === "open" ? OPEN : CLOSE, one.slot);
        break;
      default:
        code.push(PLAIN[one.op]);
    }
  }
  code[1] = code.length;
  for (const { at, targets } of lists) {
    code[at] = code.length;
    code.push(targets.length);
    for (const target of targets) place(target);
  }
  for (const at of places) code[at] = begins[code[at] as number] as number;
  code[0] = branches;
  return code;
}
