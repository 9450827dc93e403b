// Matches a phrase against words. Visits each pair of instruction and position at most once, so the time is limited by
// their product: exponential backtracking is impossible.

import type { Words } from "../../text/words.js";
import type { Phrase } from "./phrase.js";
import type { Instruction } from "./program.js";

/** Word positions of a match: from `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface PhraseMatch extends Span {
  readonly slots: readonly (Span | undefined)[];
}

type Captures = readonly number[];

const NO_CAPTURES: Captures = [];

/** The first match that starts at or after `from`. */
export function matchPhrase(phrase: Phrase, words: Words, from = 0): PhraseMatch | undefined {
  const { program, first, atStart } = phrase;
  const { folded } = words;
  const length = folded.length;
  const end = atStart ? 0 : length;
  let seen: Uint8Array | undefined;
  let none: Captures = NO_CAPTURES;
  for (let begin = from; begin <= end; begin++) {
    if (first && (begin === length || !first.has(folded[begin] as string))) continue;
    if (!seen) {
      seen = visited(program.length * (length + 1));
      if (phrase.slots.length > 0) none = new Array(phrase.slots.length * 2).fill(-1);
    }
    let depth = 0;
    for (let pc = 0, at = begin, captures = none; ; ) {
      const visit = pc * (length + 1) + at;
      const instruction = program[pc] as Instruction;
      let goesOn = seen[visit] === 0;
      seen[visit] = 1;
      if (goesOn)
        switch (instruction.op) {
          case "match":
            return { from: begin, to: at, slots: phrase.slots.map((_, slot) => span(captures, slot)) };
          case "switch": {
            const targets = (at < length && instruction.to.get(folded[at] as string)) || instruction.otherwise;
            for (let last = targets.length - 1; last > 0; last--) {
              waiting[depth] = targets[last] as number;
              waitingAt[depth] = at;
              waitingCaptures[depth++] = captures;
            }
            goesOn = targets.length > 0;
            pc = targets[0] ?? pc;
            break;
          }
          case "split":
            waiting[depth] = instruction.second;
            waitingAt[depth] = at;
            waitingCaptures[depth++] = captures;
            pc = instruction.first;
            break;
          case "jump":
            pc = instruction.to;
            break;
          case "open":
          case "close":
            captures = captures.with(instruction.slot * 2 + (instruction.op === "open" ? 0 : 1), at);
            pc++;
            break;
          case "start":
            goesOn = at === 0;
            pc++;
            break;
          case "stop":
            goesOn = !hasWord(words, at);
            pc++;
            break;
          case "end":
            goesOn = at === length;
            pc++;
            break;
          case "clause-end":
            goesOn = at === length || words.clauseEnds.has(at);
            pc++;
            break;
          default:
            goesOn = at < length && accepts(instruction, words, at);
            at++;
            pc++;
        }
      if (goesOn) continue;
      if (depth === 0) break;
      pc = waiting[--depth] as number;
      at = waitingAt[depth] as number;
      captures = waitingCaptures[depth] as Captures;
    }
  }
  return undefined;
}

// The states still to try. Matches are never nested, so one stack and one buffer are enough.
const waiting: number[] = [];
const waitingAt: number[] = [];
const waitingCaptures: Captures[] = [];
let buffer = new Uint8Array(0);

/** A buffer of at least `size` zeros. */
function visited(size: number): Uint8Array {
  if (buffer.length < size) buffer = new Uint8Array(size * 2);
  else buffer.fill(0, 0, size);
  return buffer;
}

function accepts(instruction: Instruction, words: Words, at: number): boolean {
  const word = words.folded[at] as string;
  switch (instruction.op) {
    case "word":
      return word === instruction.word;
    case "clause":
      return !words.clauseEnds.has(at);
    case "glued":
      return words.glued[at] === true && (instruction.among?.includes(word) ?? true);
    case "digits":
      return /^\p{Nd}+$/u.test(word) && (!instruction.glued || words.glued[at] === true);
    default:
      return true;
  }
}

/** Does a word follow, not just punctuation? */
function hasWord({ folded }: Words, from: number): boolean {
  for (let at = from; at < folded.length; at++) if (/[\p{L}\p{N}]/u.test(folded[at] as string)) return true;
  return false;
}

function span(captures: Captures, slot: number): Span | undefined {
  const from = captures[slot * 2] as number;
  const to = captures[slot * 2 + 1] as number;
  return from >= 0 && to >= 0 ? { from, to } : undefined;
}
