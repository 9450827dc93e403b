// Finds what the output of a tool says, by the phrases of its entry. Most outputs hold no phrase, and are not split into words.
import { stripVTControlCharacters } from "node:util";
import { OUTPUT_CHARACTERS, OUTPUT_END_CHARACTERS } from "../../limits.js";
import { matchPhrase, type Span } from "../../rules/phrase/match-phrase.js";
import { mayOccur, type Phrase } from "../../rules/phrase/phrase.js";
import type { Tool } from "../../rules/tool-set.js";
import { toWords, type Words } from "../../text/words.js";
import { firstPhrase, type Match } from "../match/condition.js";

/** The first phrase in the text. */
export function saidIn(phrases: readonly Phrase[], text: string): Match | undefined {
  const may = phrases.filter((phrase) => mayOccur(phrase, text));
  return may.length > 0 ? firstPhrase(may, toWords(text)) : undefined;
}

export const says = (phrases: readonly Phrase[], text: string): boolean => saidIn(phrases, text) !== undefined;

/** Characters at the end of an output in which a job says that it failed: its summary and its runner's. No more are kept. */
const BROKE_CHARACTERS = OUTPUT_END_CHARACTERS;

/** Does the end of the output say that the job failed? Hosts may repeat the command line there: its words do not count. */
export function saysBroke(output: string, line: string, { broke, passed }: Tool): boolean {
  const end = stripVTControlCharacters(output.slice(-BROKE_CHARACTERS));
  const may = broke.filter((phrase) => mayOccur(phrase, end));
  if (may.length === 0) return false;
  const words = toWords(end);
  const isPrinted = ({ from, to }: Span) => !line.includes(end.slice(words.start[from], words.end[to - 1]));
  const bad = spansOf(may, words).filter(isPrinted);
  return bad.length > 0 && !areGood(bad, spansOf(passed, words));
}

/** Does the output say that all passed? Not if it may be cut: the end, where that is said, is unknown. */
export function saysPassed(output: string, { passed, faulty }: Tool): boolean {
  if (passed.length === 0 || output.length >= OUTPUT_CHARACTERS) return false;
  const words = toWords(output);
  const good = spansOf(passed, words);
  return good.length > 0 && areGood(spansOf(faulty, words), good);
}

/** "0 errors" is good: each bad span overlaps a good one. */
const areGood = (bad: readonly Span[], good: readonly Span[]) =>
  bad.every((one) => good.some(({ from, to }) => one.from < to && from < one.to));

function spansOf(phrases: readonly Phrase[], words: Words): readonly Span[] {
  const found: Span[] = [];
  for (const phrase of phrases)
    for (let match = matchPhrase(phrase, words); match; ) {
      found.push(match);
      match = matchPhrase(phrase, words, Math.max(match.to, match.from + 1));
    }
  return found;
}
