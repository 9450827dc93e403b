// Reads a text for comparison: words in sentences and clauses, and the marks among them.
import { toBlocks } from "./blocks.js";
import type { Lexicon } from "./lexicon.js";
import { type ComparedWord, splitWords } from "./split.js";
import type { ReadText, Sentence, Weighable } from "./terms.js";
import { weighTerms } from "./weigh.js";

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
        named: isNamed(body, word, terms.length > from),
        sentence: sentences.length,
        clause,
      });
      last = word.end;
    }
    endSentence(/[?？]["'”’)\]*_`]*\s*$/.test(body));
  }
  return { text, terms, sentences, marks: weighTerms(terms, lexicon) };
}

function isAbbreviated(body: string, end: number, stop: string, { abbreviations }: Lexicon): boolean {
  if (stop[0] !== ".") return false;
  const word = /[^\s("'“[]*$/u.exec(body.slice(Math.max(0, end - 24), end))?.[0] ?? "";
  return abbreviations.has(`${word.toLowerCase()}.`);
}

const PROPER = /^\p{Lu}\p{Ll}+$/u;
const UPPER = /\p{Lu}/u;

/** A capital letter marks a name; at the start of a sentence, only one after the first letter does. */
function isNamed(body: string, { start, end }: ComparedWord, inside: boolean): boolean {
  return body[start - 1] === "`" || UPPER.test(body.slice(inside ? start : start + 1, end));
}
