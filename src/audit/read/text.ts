// Reads a text for comparison: words in sentences and clauses, and the marks among them.
import type { FoundMark, Lexicon } from "./lexicon.js";
import { splitWords, toBlocks } from "./split.js";
import { type Marked, type ReadText, type Sentence, type Term, toSigns, type Weighable } from "./terms.js";

/** Longest sentence, in words. Longer ones, such as a line without full stops, are split. */
const AUDIT_SENTENCE_WORDS = 160;

const CLAUSE_MARK = /[,;:()[\]{}|，、；：（）]|\s[-–—]+\s|—|\n/;
const STOP = /[.!?…]+["'”’)\]*_`]*(?=\s|$)|[。！？]/;

/** Turns escaped angle brackets into real ones. Blanks fill the gap, so that offsets stay valid. */
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
      // The brackets of a call do not end a clause: "call `f()` from the worker".
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
        sentence: sentences.length,
        clause,
      });
      last = word.end;
    }
    endSentence(/[?？]["'”’)\]*_`]*\s*$/.test(body));
  }
  const marks = weighTerms(terms, lexicon);
  return { text, terms, sentences, marks, signs: toSigns(terms, marks) };
}

function isAbbreviated(body: string, end: number, stop: string, { abbreviations }: Lexicon): boolean {
  if (stop[0] !== ".") return false;
  const word = /[^\s("'“[]*$/u.exec(body.slice(Math.max(0, end - 24), end))?.[0] ?? "";
  return abbreviations.has(`${word.toLowerCase()}.`);
}

const PROPER = /^\p{Lu}\p{Ll}+$/u;
// Which words are compared, and which are marks that change the others.

/** Marks that are not content: their effect is compared instead. */
const WEIGHTLESS: ReadonlySet<FoundMark> = new Set<FoundMark>([
  "negation",
  "denial",
  "exchange",
  "hedge",
  "filler",
  "permission",
  "condition",
  "quantity",
]);
/** Inside such a run, single words lose their own meaning: "not only", "not allowed". */
const SILENCING: ReadonlySet<FoundMark> = new Set<FoundMark>(["filler", "vague", "negation", "denial"]);

/** Marks that a word does not get when it is written as a name: "go", "may". */
const COMMON: ReadonlySet<FoundMark> = new Set<FoundMark>(["light", "hedge", "permission"]);

function isRun(terms: readonly Term[], at: number, words: readonly string[]): boolean {
  for (let step = 1; step < words.length; step++) {
    const term = terms[at + step];
    if (term?.folded !== words[step] || term?.sentence !== terms[at]?.sentence) return false;
  }
  return true;
}

/** Gives each term its weight and returns the marks. */
function weighTerms(terms: readonly Weighable[], lexicon: Lexicon): readonly Marked[] {
  const marks: Marked[] = [];
  let silenced = 0;
  for (let at = 0; at < terms.length; at++) {
    if (terms[at]?.quoted) continue;
    const known = lexicon.runs.get((terms[at] as Term).folded);
    if (!known) continue;
    let longest = 0;
    const silent = silenced;
    for (const { words, key, mark } of known) {
      const fits = words.length === 1 ? !(terms[at]?.proper && COMMON.has(mark)) : isRun(terms, at, words);
      if (!fits || (at < silent && mark !== "filler")) continue;
      // If "not only" fits, it wins over "not".
      if (words.length >= longest) marks.push({ mark, key, from: at, to: at + words.length });
      longest = Math.max(longest, words.length);
      if (SILENCING.has(mark) && words.length > 1) silenced = Math.max(silenced, at + words.length);
      lighten(terms, at, at + words.length, mark);
    }
  }
  return marks;
}

function lighten(terms: readonly Weighable[], from: number, to: number, mark: FoundMark): void {
  if (mark === "vague") for (let at = from; at < to; at++) (terms[at] as Weighable).vague = true;
  const weight = WEIGHTLESS.has(mark) ? "filler" : mark === "light" ? "light" : undefined;
  if (!weight) return;
  for (let at = from; at < to; at++) {
    const term = terms[at] as Weighable;
    if (term.weight !== "filler") term.weight = weight;
  }
}
