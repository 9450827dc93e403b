// Runs a phrase over words. Visits each pair of branch and position at most once, so the time is limited by their product:
// exponential backtracking is impossible.

import type { Words } from "../../text/words.js";
import { mayHold, type Phrase } from "./phrase.js";
import { BEGIN, Op } from "./phrase-code.js";

/** Word positions of a match: from `from` up to, but not including, `to`. */
export type WordSpan = { readonly from: number; readonly to: number };

export type PhraseMatch = WordSpan & { readonly slots: readonly (WordSpan | undefined)[] };

/** Where the slots begin and end, the last one first. Branches share what they have in common. */
interface Captures {
  /** Twice the number of the slot for its beginning, one more for its end. */
  readonly edge: number;
  readonly at: number;
  readonly before: Captures | undefined;
}

/** The first match that starts at or after `from`. */
export function matchPhrase(phrase: Phrase, words: Words, from = 0): PhraseMatch | undefined {
  const { code, first, atStart, vocabulary } = phrase;
  const { numbers } = vocabulary.read(words);
  const length = numbers.length;
  const end = atStart ? 0 : length;
  let seen: Uint8Array | undefined;
  for (let begin = from; begin <= end; begin++) {
    if (first && (begin === length || !first.has(numbers[begin] as number))) continue;
    seen ??= visited((code[0] as number) * (length + 1));
    let depth = 0;
    let captures: Captures | undefined;
    for (let pc = BEGIN, at = begin; ; ) {
      let goesOn = true;
      switch (code[pc]) {
        case Op.MATCH:
          return { from: begin, to: at, slots: spansOf(captures, phrase.slots.length) };
        case Op.WORD:
          goesOn = at < length && numbers[at++] === code[pc + 1];
          pc += 2;
          break;
        case Op.SWITCH: {
          const visit = (code[pc + 1] as number) * (length + 1) + at;
          goesOn = seen[visit] === 0;
          if (!goesOn) break;
          seen[visit] = 1;
          const to = at < length ? placeFor(numbers[at] as number, code, pc) : (code[pc + 3] as number);
          pc = to;
          if (to < (code[1] as number)) break;
          const count = code[to] as number;
          for (let last = count; last > 1; last--) {
            waiting[depth] = code[to + last] as number;
            waitingAt[depth] = at;
            waitingCaptures[depth++] = captures;
          }
          goesOn = count > 0;
          pc = code[to + 1] as number;
          break;
        }
        case Op.SPLIT: {
          const visit = (code[pc + 1] as number) * (length + 1) + at;
          goesOn = seen[visit] === 0;
          if (!goesOn) break;
          seen[visit] = 1;
          waiting[depth] = code[pc + 3] as number;
          waitingAt[depth] = at;
          waitingCaptures[depth++] = captures;
          pc = code[pc + 2] as number;
          break;
        }
        case Op.JUMP:
          pc = code[pc + 1] as number;
          break;
        case Op.OPEN:
        case Op.CLOSE:
          captures = { edge: (code[pc + 1] as number) * 2 + (code[pc] === Op.OPEN ? 0 : 1), at, before: captures };
          pc += 2;
          break;
        case Op.ANY:
          goesOn = at++ < length;
          pc++;
          break;
        case Op.CLAUSE:
          goesOn = at < length && !words.clauseEnds.has(at);
          at++;
          pc++;
          break;
        case Op.START:
          goesOn = at === 0;
          pc++;
          break;
        case Op.STOP:
          goesOn = !hasWord(words, at);
          pc++;
          break;
        case Op.END:
          goesOn = at === length;
          pc++;
          break;
        case Op.CLAUSE_END:
          goesOn = at === length || words.clauseEnds.has(at);
          pc++;
          break;
        case Op.AMONG: {
          const word = numbers[at++];
          goesOn = false;
          const after = pc + 2 + (code[pc + 1] as number);
          if (words.glued[at - 1] === true) for (let one = pc + 2; one < after; one++) goesOn ||= code[one] === word;
          pc = after;
          break;
        }
        default:
          goesOn = at < length && (code[pc] === Op.DIGITS || words.glued[at] === true);
          if (code[pc] !== Op.GLUED) goesOn &&= NUMBER.test(words.folded[at] as string);
          at++;
          pc++;
      }
      if (goesOn) continue;
      if (depth === 0) break;
      pc = waiting[--depth] as number;
      at = waitingAt[depth] as number;
      captures = waitingCaptures[depth];
    }
  }
  return undefined;
}

const NUMBER = /^\p{Nd}+$/u;

/** Where a switch continues for a word: searches its sorted words. */
function placeFor(word: number, code: readonly number[], pc: number): number {
  const base = pc + 4;
  let low = 0;
  for (let high = code[pc + 2] as number; low < high; ) {
    const middle = (low + high) >> 1;
    const found = code[base + 2 * middle] as number;
    if (found === word) return code[base + 2 * middle + 1] as number;
    if (found < word) low = middle + 1;
    else high = middle;
  }
  return code[pc + 3] as number;
}

// The states still to try. Matches are never nested, so one stack and one buffer are enough.
const waiting: number[] = [];
const waitingAt: number[] = [];
const waitingCaptures: (Captures | undefined)[] = [];
let buffer = new Uint8Array(0);

/** A buffer of at least `size` zeros. */
function visited(size: number): Uint8Array {
  if (buffer.length < size) buffer = new Uint8Array(size * 2);
  else buffer.fill(0, 0, size);
  return buffer;
}

/** Does a word follow, not just punctuation? */
function hasWord({ folded }: Words, from: number): boolean {
  for (let at = from; at < folded.length; at++) if (/[\p{L}\p{N}]/u.test(folded[at] as string)) return true;
  return false;
}

const NO_SLOTS: PhraseMatch["slots"] = [];

/** For each slot, where it begins and ends: of a repeated slot, the last time. */
function spansOf(captures: Captures | undefined, slots: number): PhraseMatch["slots"] {
  if (slots === 0) return NO_SLOTS;
  const edges = new Array<number>(slots * 2).fill(-1);
  for (let one = captures; one; one = one.before) if (edges[one.edge] === -1) edges[one.edge] = one.at;
  const spans: (WordSpan | undefined)[] = [];
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from, to] = [edges[edge] as number, edges[edge + 1] as number];
    spans.push(from >= 0 && to >= 0 ? { from, to } : undefined);
  }
  return spans;
}

/** The characters of the visible text that a match and its slots cover. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly slots: readonly { readonly name: string; readonly type: string; readonly start: number; readonly end: number }[];
}

/** The first of several phrases that a text holds, and where. */
export function firstPhrase(phrases: readonly Phrase[], words: Words): Match | undefined {
  for (const phrase of phrases) {
    if (!mayHold(phrase, words)) continue;
    const found = matchPhrase(phrase, words);
    if (found) return fromPhrase(phrase, found, words);
  }
  return undefined;
}

function fromPhrase(phrase: Phrase, found: PhraseMatch, words: Words): Match {
  const start = (from: number) => words.start[from] ?? 0;
  const end = (to: number) => words.end[to - 1] ?? 0;
  const slots: Match["slots"][number][] = [];
  for (const [index, span] of found.slots.entries()) {
    const slot = phrase.slots[index];
    if (slot && span && span.to > span.from)
      slots.push({ name: slot.name, type: slot.type, start: start(span.from), end: end(span.to) });
  }
  return { start: start(found.from), end: end(found.to), slots };
}
