// Long texts inside of data, cut.
import { INPUT_DEPTH, OUTPUT_END_CHARACTERS } from "../limits.js";
import { type Fields, isFields } from "./parsed.js";

export const map = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));

/** The members of all, in one. Not by `...` and more behind it: V8 makes a layout of its own for each such value, as large as itself. */
export const join = (...all: readonly Fields[]): Fields => Object.fromEntries(all.flatMap((fields) => Object.entries(fields)));

/** How many characters at the beginning of a text are kept. */
export type Start = (text: string) => number;

/** With every long text in it cut: both ends are kept. What is nested beyond reason stays as it is. */
export function shorten(value: unknown, start: number | Start, depth = INPUT_DEPTH): unknown {
  if (typeof value === "string") return cut(value, typeof start === "number" ? start : start(value));
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((entry) => shorten(entry, start, depth - 1));
  return isFields(value) ? map(value, (entry) => shorten(entry, start, depth - 1)) : value;
}

export function cut(text: string, start: number): string {
  if (text.length <= start + OUTPUT_END_CHARACTERS + CUT.length) return text;
  const short = text.slice(0, start) + CUT + text.slice(-OUTPUT_END_CHARACTERS);
  // A part of a text keeps the whole of it in memory; a copy does not.
  const encoding = /[^\0-\xff]/.test(short) ? "utf16le" : "latin1";
  return Buffer.from(short, encoding).toString(encoding);
}

/** Stands where something was taken out. */
const CUT = "\n...\n";
