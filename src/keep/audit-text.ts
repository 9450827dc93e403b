// A text, read for comparing: its words in sentences and clauses, and what the marks among them do.
import { AUDIT_SENTENCE_WORDS } from "../limits.js";
import { type Block, toBlocks } from "./audit-blocks.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import { settle } from "./audit-settle.js";
import { splitWords, type Word } from "./audit-split.js";
import { type Weighable, weigh } from "./audit-weigh.js";

export type Weight = "content" | "light" | "filler";

export interface Term extends Word {
  readonly key: string;
  readonly weight: Weight;
  /** It names a sort of thing that what it stands with names already. */
  readonly vague: boolean;
  /** A plain word that is written like a name. */
  readonly named: boolean;
  /** Marked as code by itself: no word of the language. */
  readonly quoted: boolean;
  /** Written with a capital inside a sentence, as "Go" and "May" are. */
  readonly proper: boolean;
  readonly sentence: number;
  /** Numbered through the whole text: no clause reaches over a sentence. */
  readonly clause: number;
}

export interface Marked {
  readonly mark: Found;
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** A negation and the permission that it denies. */
  readonly forbids?: true;
}

export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly question: boolean;
  readonly block: Block;
}

/** Stretches of which one comes before the other in time. */
export interface Sequence {
  readonly first: Stretch;
  readonly later: Stretch;
  /** It is told by a denial: "not until". */
  readonly denied: boolean;
  readonly sentence: number;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface ReadText {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly sentences: readonly Sentence[];
  /** In the order of their places. */
  readonly marks: readonly Marked[];
  readonly sequences: readonly Sequence[];
}

const CLAUSE_MARK = /[,;:()[\]{}|，、；：（）]|\s[-–—]+\s|—|\n/;
const STOP = /[.!?…]+["'”’)\]*_`]*(?=\s|$)|[。！？]/;

/** A bracket that is written out in a summary is the same bracket, and all else stands where it stood. */
const withBrackets = (text: string) => (text.includes("&") ? text.replaceAll("&lt;", "   <").replaceAll("&gt;", ">   ") : text);

export function readText(given: string, lexicon: Lexicon): ReadText {
  const text = withBrackets(given);
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
    const words = splitWords(body);
    for (const [index, word] of words.entries()) {
      // The brackets of a call part nothing: "call `f()` from the worker".
      const between = body.slice(last, word.start).replace("()", "");
      const plain = between === " " || between === "";
      const stop = !plain && terms.length > from ? STOP.exec(between)?.[0] : undefined;
      if ((stop !== undefined && !isAbbreviated(body, last, stop, lexicon)) || terms.length - from >= AUDIT_SENTENCE_WORDS) {
        endSentence(stop?.includes("?") || stop?.includes("？") || false);
        clause++;
      } else if ((!plain && CLAUSE_MARK.test(between)) || lexicon.isJoint(word.folded, words[index + 1]?.folded ?? "")) clause++;
      terms.push({
        folded: word.folded,
        sort: word.sort,
        start: block.start + word.start,
        end: block.start + word.end,
        key: lexicon.keyOf(word.folded),
        weight: "content",
        vague: false,
        quoted: body[word.start - 1] === "`" && body[word.end] === "`",
        proper: between === " " && PROPER.test(body.slice(word.start, word.end)),
        named: isNamed(body, word, terms.length > from),
        sentence: sentences.length,
        clause,
      });
      last = word.end;
    }
    endSentence(/[?？]["'”’)\]*_`]*\s*$/.test(body));
  }
  const { marks, sequences } = settle(terms, sentences, weigh(terms, lexicon));
  return { text, terms, sentences, marks, sequences };
}

function isAbbreviated(body: string, end: number, stop: string, { abbreviations }: Lexicon): boolean {
  if (stop[0] !== ".") return false;
  const word = /[^\s("'“[]*$/u.exec(body.slice(Math.max(0, end - 24), end))?.[0] ?? "";
  return abbreviations.has(`${word.toLowerCase()}.`);
}

const PROPER = /^\p{Lu}\p{Ll}+$/u;
const UPPER = /\p{Lu}/u;

/** In a sentence, a capital tells a name; at its beginning, only one further on does. */
function isNamed(body: string, { start, end }: Word, inside: boolean): boolean {
  return body[start - 1] === "`" || UPPER.test(body.slice(inside ? start : start + 1, end));
}

export const listTerms = (terms: readonly Term[]) => terms.map(({ folded }) => folded).join(", ");

/** "Except" and "except for" do the same. */
export const isSameMark = (one: Marked, other: Marked) =>
  one.mark === other.mark && (`${one.key} `.startsWith(`${other.key} `) || `${other.key} `.startsWith(`${one.key} `));
