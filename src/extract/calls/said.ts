// Finds what the output of a tool says, by the phrases of its entry. Most outputs hold no phrase, and are not split into words.
import { stripVTControlCharacters } from "node:util";
import { OUTPUT_CHARACTERS, OUTPUT_END_CHARACTERS } from "../../limits.js";
import { firstPhrase, type Match, matchPhrase, type WordSpan } from "../../rules/phrase/match-phrase.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import type { Tool } from "../../rules/tool-set.js";
import { isAscii, toWords, type Words } from "../../text/words.js";

export function saidIn(phrases: readonly Phrase[], text: string): Match | undefined {
  const likely = likelyIn(phrases, text);
  return likely.length > 0 ? firstPhrase(likely, toWords(text)) : undefined;
}

export const says = (phrases: readonly Phrase[], text: string): boolean => saidIn(phrases, text) !== undefined;

/** Characters that usually include the first word of a text. */
const HEAD_CHARACTERS = 40;

/** The phrases that the text may hold, by the words that they need and begin with. */
export function likelyIn(phrases: readonly Phrase[], text: string): readonly Phrase[] {
  if (phrases.length === 0) return phrases;
  const lower = text.toLowerCase();
  // Other words may be written differently: with another dash or apostrophe.
  const isFixed = isAscii(text) ? isAscii : (word: string) => /^\w+$/.test(word);
  return phrases.filter(({ anchors, atStart, first, vocabulary }) => {
    if (anchors.length > 0 && !anchors.some((word) => !isFixed(word) || lower.includes(word))) return false;
    if (!atStart || !first) return true;
    // Only with a second word is the first one complete.
    const [word, next] = vocabulary.read(toWords(text.slice(0, HEAD_CHARACTERS))).numbers;
    return word === undefined || next === undefined || first.has(word);
  });
}

/** Characters at the end of an output in which a job says that it failed: its summary and its runner's. No more are kept. */
const BROKE_CHARACTERS = OUTPUT_END_CHARACTERS;

/** Does the end of the output say that the job failed? Hosts may repeat the command line there: its words do not count. */
export function saysBroke(output: string, line: string, { broke, passed }: Tool): boolean {
  const end = stripVTControlCharacters(output.slice(-BROKE_CHARACTERS));
  const likely = likelyIn(broke, end);
  if (likely.length === 0) return false;
  const words = toWords(end);
  const isPrinted = ({ from, to }: WordSpan) => !line.includes(end.slice(words.start[from], words.end[to - 1]));
  const bad = spansOf(likely, words).filter(isPrinted);
  return bad.length > 0 && !areGood(bad, spansOf(likelyIn(passed, end), words));
}

/** Does the output say that all passed? Not if it may be cut: the end, where that is said, is unknown. */
export function saysPassed(output: string, { passed, faulty }: Tool): boolean {
  const likely = output.length < OUTPUT_CHARACTERS ? likelyIn(passed, output) : [];
  if (likely.length === 0) return false;
  const words = toWords(output);
  const good = spansOf(likely, words);
  return good.length > 0 && areGood(spansOf(likelyIn(faulty, output), words), good);
}

/** The first line that tells an error, and more than that there is one. A line next to a cut may be half of a secret. */
export function errorIn(output: string, { faulty }: Tool): string | undefined {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  return lines.find((line, index) => {
    const found = saidIn(faulty, line);
    const isMore = found !== undefined && found.end - found.start < line.trim().length;
    return isMore && lines[index - 1] !== CUT_LINE && lines[index + 1] !== CUT_LINE;
  });
}
const CUT_LINE = "...";

/** "0 errors" is good: each bad span overlaps a good one. */
const areGood = (bad: readonly WordSpan[], good: readonly WordSpan[]) =>
  bad.every((one) => good.some(({ from, to }) => one.from < to && from < one.to));

function spansOf(phrases: readonly Phrase[], words: Words): readonly WordSpan[] {
  const found: WordSpan[] = [];
  for (const phrase of phrases)
    for (let match = matchPhrase(phrase, words); match; ) {
      found.push(match);
      match = matchPhrase(phrase, words, Math.max(match.to, match.from + 1));
    }
  return found;
}
