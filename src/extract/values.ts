// Numbers of a text with what they count, and the words around them.
import { fold, sameText } from "../rules/words.js";
import type { IsPlain } from "./topic.js";

export interface Value {
  readonly number: string;
  /** Empty where no word says what is counted. */
  readonly unit: string;
  readonly start: number;
  readonly end: number;
}

/** Not the number of an issue, nor one that is part of a name. */
const NUMBER = /(?<![\p{L}\p{N}_#.-])\p{N}+(?:[.,:]\p{N}+)*(?![\p{N}_-])/gu;
const UNIT = /^\s?(%|\p{L}+)/u;

export function valuesOf(text: string, isPlain: IsPlain): readonly Value[] {
  return [...text.matchAll(NUMBER)].map(({ 0: number, index }) => {
    const end = index + number.length;
    const unit = fold(UNIT.exec(text.slice(end))?.[1] ?? "");
    return { number, unit: isPlain(unit) ? "" : unit, start: index, end };
  });
}

export const hasNumber = (text: string) => text.search(NUMBER) >= 0;

/** "s" and "seconds" are one unit. */
export const isSameUnit = (a: Value, b: Value) =>
  a.unit === b.unit || (a.unit !== "" && b.unit !== "" && (a.unit.startsWith(b.unit) || b.unit.startsWith(a.unit)));

/** Fewer words around a value do not tell what it is the value of. */
const LEAST_FRAME_WORDS = 3;

/** "chart1" and "api/v2" name a thing; "v2", "30s", "$5/day" and "ABC-12" are values. */
const isNamed = (word: string) =>
  /^[^\p{L}\p{N}]*[\p{L}_]*\p{Ll}{2,}_?\p{N}/u.test(word) || /^[^\p{L}\p{N}]*\p{L}.*\/|^\W*\/.*\p{L}/u.test(word);

/** The words around the values of a statement; undefined when there is no value or next to nothing around it. */
export function frameOf(text: string): string | undefined {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const around = words.filter((word) => !/\p{N}/u.test(word) || isNamed(word));
  return around.length < words.length && around.length >= LEAST_FRAME_WORDS ? sameText(around.join(" ")) : undefined;
}

const NUMBERED = /^(\p{L}{2,})_?(\p{N}+)$/u;

/** Do texts name things that only their numbers tell apart, chart1 and chart2, and none of them both? */
export function areOfOthers(a: readonly string[], b: readonly string[]): boolean {
  const numbered = a.flatMap((term) => NUMBERED.exec(term)?.[1] ?? []);
  if (numbered.length === 0) return false;
  const others = new Set(b.flatMap((term) => NUMBERED.exec(term)?.[1] ?? []));
  return numbered.some((name) => others.has(name)) && !a.some((term) => NUMBERED.test(term) && b.includes(term));
}

/** ABC-12 and XY-345 are values of one kind. */
export const shapeOf = (value: string) =>
  value
    .replace(/[.,;:!?)]+$/, "")
    .replace(/\p{L}+/gu, "a")
    .replace(/\p{N}+/gu, "0");
