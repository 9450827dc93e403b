// Runs a phrase over words. Every pair of instruction and position is visited at most once, so the time
// is bounded by their product whatever the phrase and the text: no backtracking blow-up is possible.
import type { Phrase } from "./phrase.js";
import type { Instruction } from "./phrase-program.js";
import type { Words } from "./words.js";

/** Word positions of a match: `from` up to but not including `to`. */
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
    const stack: { pc: number; at: number; captures: Captures }[] = [{ pc: 0, at: begin, captures: none }];
    while (stack.length > 0) {
      const thread = stack.pop() as { pc: number; at: number; captures: Captures };
      let { pc, at, captures } = thread;
      for (;;) {
        const visit = pc * (length + 1) + at;
        if (seen[visit]) break;
        seen[visit] = 1;
        const instruction = program[pc] as Instruction;
        if (instruction.op === "match") {
          return { from: begin, to: at, slots: phrase.slots.map((_, slot) => span(captures, slot)) };
        }
        if (instruction.op === "split") {
          stack.push({ pc: instruction.second, at, captures });
          pc = instruction.first;
        } else if (instruction.op === "jump") pc = instruction.to;
        else if (instruction.op === "open" || instruction.op === "close") {
          captures = captures.with(instruction.slot * 2 + (instruction.op === "open" ? 0 : 1), at);
          pc++;
        } else if (instruction.op === "start") {
          if (at !== 0) break;
          pc++;
        } else if (instruction.op === "stop") {
          if (hasWord(words, at)) break;
          pc++;
        } else if (instruction.op === "end") {
          if (at !== length) break;
          pc++;
        } else if (instruction.op === "clause-end") {
          if (at !== length && !words.clauseEnds.has(at)) break;
          pc++;
        } else {
          if (at >= length || !accepts(instruction, words, at)) break;
          at++;
          pc++;
        }
      }
    }
  }
  return undefined;
}

let buffer = new Uint8Array(0);

/** Room for so many marks, none of them set. A match never begins another one, so one buffer does for all. */
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

/** Does a word follow, beside marks and brackets of the text's end? */
function hasWord({ folded }: Words, from: number): boolean {
  for (let at = from; at < folded.length; at++) if (/[\p{L}\p{N}]/u.test(folded[at] as string)) return true;
  return false;
}

function span(captures: Captures, slot: number): Span | undefined {
  const from = captures[slot * 2] as number;
  const to = captures[slot * 2 + 1] as number;
  return from >= 0 && to >= 0 ? { from, to } : undefined;
}
