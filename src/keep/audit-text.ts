// A text, read for comparing: its words in sentences and clauses, and what the marks among them do.
import { AUDIT_SENTENCE_WORDS } from "../limits.js";
import { type Block, toBlocks } from "./audit-blocks.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import { splitWords, type Word } from "./audit-split.js";

export type Weight = "content" | "light" | "filler";

export interface Term extends Word {
  readonly key: string;
  readonly weight: Weight;
  readonly sentence: number;
  /** Numbered through the whole text: no clause reaches over a sentence. */
  readonly clause: number;
}

export interface Marked {
  readonly mark: Found;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly question: boolean;
  readonly block: Block;
}

export interface ReadText {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly sentences: readonly Sentence[];
  /** In the order of their places. */
  readonly marks: readonly Marked[];
}

const CLAUSE_MARK = /[,;:()[\]{}|，、；：（）]|\s[-–—]+\s|—|\n/;
const STOP = /[.!?…]+["'”’)\]*_`]*(?=\s|$)|[。！？]/;

export function readText(text: string, lexicon: Lexicon): ReadText {
  const terms: Weighable[] = [];
  const sentences: Sentence[] = [];
  let clause = -1;
  for (const block of toBlocks(text)) {
    let from = terms.length;
    const endSentence = (question: boolean) => {
      if (terms.length > from) sentences.push({ from, to: terms.length, question, block });
      from = terms.length;
    };
    const body = text.slice(block.start, block.end);
    let last = 0;
    clause++;
    for (const word of splitWords(body)) {
      const between = body.slice(last, word.start);
      const plain = between === " " || between === "";
      const stop = !plain && terms.length > from ? STOP.exec(between)?.[0] : undefined;
      if ((stop !== undefined && !isAbbreviated(body, last, stop, lexicon)) || terms.length - from >= AUDIT_SENTENCE_WORDS) {
        endSentence(stop?.includes("?") || stop?.includes("？") || false);
        clause++;
      } else if ((!plain && CLAUSE_MARK.test(between)) || lexicon.joints.has(word.folded)) clause++;
      terms.push({
        folded: word.folded,
        sort: word.sort,
        start: block.start + word.start,
        end: block.start + word.end,
        key: lexicon.keyOf(word.folded),
        weight: "content",
        sentence: sentences.length,
        clause,
      });
      last = word.end;
    }
    endSentence(/[?？]["'”’)\]*_`]*\s*$/.test(body));
  }
  return { text, terms, sentences, marks: weigh(terms, lexicon) };
}

function isAbbreviated(body: string, end: number, stop: string, { abbreviations }: Lexicon): boolean {
  if (stop[0] !== ".") return false;
  const word = /[^\s("'“[]*$/u.exec(body.slice(Math.max(0, end - 24), end))?.[0] ?? "";
  return abbreviations.has(`${word.toLowerCase()}.`);
}

/** Marks that are no content themselves: what they do is compared instead. */
const WEIGHTLESS: readonly Found[] = ["negation", "denial", "exchange", "hedge", "filler", "above", "below"];

/** They compare only in front of a number: "over HTTP" does not. */
const SIDES: ReadonlySet<Found> = new Set<Found>(["above", "below"]);
const isBeforeNumber = (terms: readonly Term[], at: number) =>
  terms[at]?.sort === "number" && terms[at]?.sentence === terms[at - 1]?.sentence;

type Weighable = { -readonly [Name in keyof Term]: Term[Name] };
const OPTION = /^--?\p{L}/u;

function isRun(terms: readonly Term[], at: number, words: readonly string[]): boolean {
  for (let step = 1; step < words.length; step++) {
    const term = terms[at + step];
    if (term?.folded !== words[step] || term?.sentence !== terms[at]?.sentence) return false;
  }
  return true;
}

/** Gives each term its weight. */
function weigh(terms: readonly Weighable[], { runs }: Lexicon): readonly Marked[] {
  const marks: Marked[] = [];
  let silenced = 0;
  for (let at = 0; at < terms.length; at++) {
    const first = terms[at] as Term;
    let longest = 0;
    const silent = silenced;
    const known = runs.get(first.folded);
    if (!known) continue;
    for (const { words, key, mark } of known) {
      const fits = words.length === 1 || isRun(terms, at, words);
      if (!fits || (SIDES.has(mark) && !isBeforeNumber(terms, at + words.length)) || (at < silent && mark !== "filler")) continue;
      // Of "not" and "not only", the longer one is what is said.
      if (words.length >= longest) marks.push({ mark, key, from: at, to: at + words.length });
      longest = Math.max(longest, words.length);
      // Inside "not only", neither word does what it does alone.
      if (mark === "filler" && words.length > 1) silenced = at + words.length;
      const weight = WEIGHTLESS.includes(mark) ? "filler" : mark === "light" ? "light" : undefined;
      if (!weight) continue;
      for (let step = at; step < at + words.length; step++) {
        const term = terms[step] as Weighable;
        if (term.weight !== "filler") term.weight = weight;
      }
    }
  }
  // What stands behind an option is its value, whatever the word.
  for (let at = 1; at < terms.length; at++) {
    const before = (terms[at - 1] as Term).folded;
    if (before.startsWith("-") && OPTION.test(before)) (terms[at] as Weighable).weight = "content";
  }
  return marks;
}

export const listTerms = (terms: readonly Term[]) => terms.map(({ folded }) => folded).join(", ");

/** "Except" and "except for" do the same. */
export const isSameMark = (one: Marked, other: Marked) =>
  one.mark === other.mark && (`${one.key} `.startsWith(`${other.key} `) || `${other.key} `.startsWith(`${one.key} `));
