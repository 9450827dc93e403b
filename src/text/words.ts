// The only tokeniser. Phrases, matching, ranking and comparing all use it, so that they agree on what a word is.
import {
  BLANK,
  behindRun,
  CAPITAL,
  DIGIT,
  isCombining,
  isInWord,
  isLetter,
  MARK,
  SMALL,
  SORTS,
  sortOf,
  UNSPACED,
} from "./characters.js";
import { rememberWithin } from "./remember.js";

/** Words and marks of a text, folded for comparison; index i in each list refers to the same word. */
export interface Words {
  readonly folded: readonly string[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** True if there is no blank before this word. */
  readonly glued: readonly boolean[];
  /** Positions of the marks that end a clause; marks inside code or brackets do not count. */
  readonly clauseEnds: ReadonlySet<number>;
  /** What a vocabulary knows about the words, once it was asked. */
  read?: ReadWords;
}

/** The numbers of words in a vocabulary, which had so many words then. */
export type ReadWords = { readonly by: object; readonly of: number; readonly numbers: readonly number[] };

const ASCII_ONLY = /^\p{ASCII}*$/u;

export const DASH = "—";
const MARKS: ReadonlyMap<string, string> = new Map([
  ["--", DASH],
  ["…", "..."],
  ["‐", "-"],
  ["‑", "-"],
  ["‒", "-"],
  ["–", "-"],
  ["“", '"'],
  ["”", '"'],
  ["„", '"'],
  ["‘", "'"],
  ["’", "'"],
  ["，", ","],
  ["；", ";"],
  ["：", ":"],
]);

/** Folds to lower case, composed form and one kind of apostrophe. Two words are equal when their folded forms are. */
export function fold(word: string): string {
  const mark = MARKS.get(word);
  if (mark !== undefined) return mark;
  if (word.startsWith("--")) return DASH;
  if (ASCII_ONLY.test(word)) return word.toLowerCase();
  return word.normalize("NFC").toLowerCase().replace(/[’ʼ]/g, "'");
}

export const isAscii = (text: string): boolean => ASCII_ONLY.test(text);

export const toWords = (text: string): Words => (isAscii(text) ? asciiWords(text) : anyWords(text));

function anyWords(text: string): Words {
  const folded: string[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const glued: boolean[] = [];
  let last = -1;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    const sort = sortOf(code);
    const from = at;
    at += code > 0xffff ? 2 : 1;
    if (sort === BLANK) continue;
    if (sort >= UNSPACED) at = behindRun(text, at, isCombining);
    else if (sort >= DIGIT) {
      at = behindRun(text, at, isInWord);
      // After an apostrophe, only letters belong to the word.
      while (isApostrophe(text.charCodeAt(at)) && at + 1 < text.length && isLetter(sortOf(text.codePointAt(at + 1) as number)))
        at = behindRun(text, at + 1, isLetter);
    } else if (code === HYPHEN || code === STOP) {
      while (text.charCodeAt(at) === code) at++;
      // Two full stops are two marks, not an ellipsis.
      if (code === STOP && at - from === 2) at--;
    }
    const word = text.slice(from, at);
    const joined = from === last;
    // A dash between blanks ends a clause; inside a word or a range it is a hyphen.
    const spaced = word === "–" && !joined && /\s/.test(text[at] ?? " ");
    const flag = word === "--" && !joined && FLAGGED.test(text[at] ?? "");
    folded.push(spaced ? DASH : flag ? word : fold(word));
    start.push(from);
    last = at;
    end.push(at);
    glued.push(joined);
  }
  return { folded, start, end, glued, clauseEnds: clauseEndsOf(folded) };
}

/** Two hyphens before one of these characters start a flag; they are not a dash. */
const FLAGGED = /[\p{L}\p{N}]/u;
const APOSTROPHE = 39;
const isApostrophe = (code: number) => code === APOSTROPHE || code === 0x2019 || code === 0x2bc;
const HYPHEN = 45;
const STOP = 46;
const SEMICOLON = 59;

/** A faster version for ASCII text, which is most of the input. */
function asciiWords(text: string): Words {
  const folded: string[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const glued: boolean[] = [];
  const { length } = text;
  const sortAt = (at: number) => (at < length ? (SORTS[text.charCodeAt(at)] as number) : 0);
  let last = -1;
  let ends = false;
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at);
    let sort = SORTS[code] as number;
    if (sort === BLANK) {
      at++;
      continue;
    }
    const from = at;
    let word: string | undefined;
    if (sort === MARK) {
      at++;
      while ((code === HYPHEN || code === STOP) && text.charCodeAt(at) === code) at++;
      if (code === HYPHEN && at - from > 1) word = at - from === 2 && from !== last && FLAGGED.test(text[at] ?? "") ? "--" : DASH;
      // Two full stops are two marks, not an ellipsis.
      else if (code === STOP && at - from === 2) at--;
      ends ||= code === SEMICOLON || word === DASH;
    } else {
      let capital = false;
      for (; sort >= DIGIT; sort = sortAt(++at)) capital ||= sort === CAPITAL;
      // After an apostrophe, only letters belong to the word.
      while (text.charCodeAt(at) === APOSTROPHE && sortAt(at + 1) >= SMALL)
        for (sort = sortAt(++at); sort >= SMALL; sort = sortAt(++at)) capital ||= sort === CAPITAL;
      if (capital) word = text.slice(from, at).toLowerCase();
    }
    folded.push(word ?? text.slice(from, at));
    start.push(from);
    glued.push(from === last);
    last = at;
    end.push(at);
  }
  return { folded, start, end, glued, clauseEnds: ends ? clauseEndsOf(folded) : NO_ENDS };
}

const CLAUSE_ENDS: readonly string[] = [";", DASH];
const NO_ENDS: ReadonlySet<number> = new Set();
const OPENERS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

function clauseEndsOf(folded: readonly string[]): ReadonlySet<number> {
  const ends: number[] = [];
  for (const [index, word] of folded.entries()) if (CLAUSE_ENDS.includes(word)) ends.push(index);
  if (ends.length === 0) return NO_ENDS;
  const inner = pairs(folded);
  return new Set(ends.filter((index) => !inner[index]));
}

/** Marks the words between two backticks or two brackets. An unclosed bracket encloses nothing. */
function pairs(folded: readonly string[]): Uint8Array {
  const depth = new Int32Array(folded.length + 1);
  const open: { mark: string; at: number }[] = [];
  for (const [at, word] of folded.entries()) {
    const opener = word === "`" ? "`" : OPENERS.get(word);
    if (opener !== undefined && open.at(-1)?.mark === opener) {
      const from = open.pop()?.at ?? at;
      depth[from] = (depth[from] ?? 0) + 1;
      depth[at] = (depth[at] ?? 0) - 1;
    } else if (word === "`" || word === "(" || word === "[" || word === "{") open.push({ mark: word, at });
  }
  const inner = new Uint8Array(folded.length);
  let level = 0;
  for (let at = 0; at < folded.length; at++) {
    level += depth[at] as number;
    inner[at] = level > 0 ? 1 : 0;
  }
  return inner;
}

/** In plain ASCII text without underscores, a simple regular expression finds the words. */
const PLAIN = /^[\0-^`-\x7f]*$/;
const PLAIN_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /[\p{L}\p{N}]/u;

/** Characters of texts whose words are cached: those of a long session, whatever the length of its lines. */
const SAME_CHARACTERS = 2_000_000;

/** The words without marks, joined: texts with the same key say the same. If there are no words, the marks are the key. */
export const sameText = rememberWithin(SAME_CHARACTERS, (text: string): string => {
  const plain = PLAIN.test(text) ? text.toLowerCase().match(PLAIN_WORD) : null;
  if (plain) return plain.join(" ");
  const { folded } = toWords(text);
  const words = folded.filter((word) => WORD.test(word));
  return (words.length > 0 ? words : folded).join(" ");
});
