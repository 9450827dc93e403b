// Finds the numbers of a text with their units, and the words around them.
import { lettersPattern } from "../../text/characters.js";
import { remember } from "../../text/remember.js";
import type { IsPlain } from "../../text/topic.js";
import { fold, sameText } from "../../text/words.js";

export interface Quantity {
  readonly number: string;
  /** Empty if no word says what is counted. */
  readonly unit: string;
  readonly start: number;
}

/** Not an issue number, nor a number in a name. */
const NUMBER = lettersPattern(String.raw`(?<![\p{L}\p{N}_#.-])[\p{N}]+(?:[.,:][\p{N}]+)*(?![\p{N}_-])`, "g");
const UNIT = lettersPattern(String.raw`^\s?(%|[\p{L}]+)`);
const DIGIT = lettersPattern(String.raw`[\p{N}]`);
export const hasDigit = (text: string): boolean => DIGIT(text).test(text);

export function valuesOf(text: string, isPlain: IsPlain): readonly Quantity[] {
  return [...text.matchAll(NUMBER(text))].map(({ 0: number, index }) => {
    const unit = fold(UNIT(text).exec(text.slice(index + number.length))?.[1] ?? "");
    return { number, unit: isPlain(unit) ? "" : unit, start: index };
  });
}

/** "s" and "seconds" are the same unit. */
export const isSameUnit = (a: Quantity, b: Quantity): boolean =>
  a.unit === b.unit || (a.unit !== "" && b.unit !== "" && (a.unit.startsWith(b.unit) || b.unit.startsWith(a.unit)));

/** With fewer words around it, it is unclear what a value belongs to. */
const LEAST_FRAME_WORDS = 3;

/** "chart1" and "api/v2" name a thing; "v2", "30s", "$5/day" and "ABC-12" are values. */
const isNamed = (word: string) => NAMED(word).test(word);
const NAMED = lettersPattern(String.raw`^[^\p{L}\p{N}]*(?:[\p{L}_]*[\p{Ll}]{2,}_?[\p{N}]|[\p{L}].*/)|^\W*/.*[\p{L}]`);

/** A text without its words that have digits. */
export const withoutValues = (text: string): string =>
  hasDigit(text)
    ? text
        .split(/\s+/)
        .filter((word) => !hasDigit(word))
        .join(" ")
    : text;

/** The words around the values of a statement; undefined without a value, or with too few words around it. */
export const wordsAroundValues = remember((text: string): string | undefined => {
  if (!hasDigit(text)) return undefined;
  const words = text.split(/\s+/).filter((word) => word !== "");
  const around = words.filter((word) => !hasDigit(word) || isNamed(word));
  return around.length < words.length && around.length >= LEAST_FRAME_WORDS ? sameText(around.join(" ")) : undefined;
});

const namesIn = remember((text: string) => text.split(/\s+/).filter((word) => hasDigit(word) && isNamed(word)));

/** Do two texts name the same numbered things, such as chart1 and api/v2? True if one of them names none. */
export function isSameNames(a: string, b: string): boolean {
  const [first, second] = [namesIn(a), namesIn(b)];
  return first.length === 0 || second.length === 0 || first.some((name) => second.includes(name));
}
