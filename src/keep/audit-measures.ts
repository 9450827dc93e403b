// Amounts of a unit: "one week" is "7 days".
import { MEASURE_WAYS } from "../limits.js";
import type { Prepared } from "./audit-index.js";
import type { Term } from "./audit-text.js";

export interface Measure {
  /** The key of the smallest unit. */
  readonly base: string;
  /** How many of the smallest it holds. */
  readonly times: number;
}

/** An amount as it is told: the keys of its number and of its unit. */
export interface Amount {
  readonly number: string;
  readonly unit: string;
}

export function toMeasures(lines: readonly string[], keyOf: (word: string) => string): ReadonlyMap<string, Measure> {
  const found = new Map<string, Measure>();
  for (const line of lines) {
    const words = line.split(/\s+/);
    const base = keyOf(words[1] ?? "");
    for (let at = 0; at + 1 < words.length; at += 2)
      found.set(keyOf(words[at + 1] as string), { base, times: Number(words[at]) });
  }
  return found;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
/** Digits that a product of two short numbers keeps. */
const DIGITS = 12;

/** The amount that stands at a place, told in the smallest unit. */
function amountAt(terms: readonly Term[], at: number, measures: ReadonlyMap<string, Measure>): string | undefined {
  const [number, unit] = [terms[at] as Term, terms[at + 1]];
  const measure = unit?.clause === number.clause && unit.weight === "content" ? measures.get(unit.key) : undefined;
  if (!measure || !NUMBER.test(number.key)) return undefined;
  return `${Number((Number(number.key) * measure.times).toPrecision(DIGITS))} ${measure.base}`;
}

/** The ways in which each amount of a text is told. */
export function toAmounts(
  terms: readonly Term[],
  measures: ReadonlyMap<string, Measure>,
): ReadonlyMap<string, readonly Amount[]> {
  const found = new Map<string, Amount[]>();
  for (let at = 0; at + 1 < terms.length; at++) {
    const amount = amountAt(terms, at, measures);
    if (amount === undefined) continue;
    const [number, unit] = [(terms[at] as Term).key, (terms[at + 1] as Term).key];
    const ways = found.get(amount) ?? [];
    if (ways.length < MEASURE_WAYS && !ways.some((way) => way.number === number && way.unit === unit))
      found.set(amount, [...ways, { number, unit }]);
  }
  return found;
}

/** A fact with its amounts in the units in which a summary tells the same. */
export function inUnitsOf(
  fact: Prepared,
  amounts: ReadonlyMap<string, readonly Amount[]>,
  measures: ReadonlyMap<string, Measure>,
): Prepared {
  const changed = new Map<number, string>();
  for (let at = 0; amounts.size > 0 && at + 1 < fact.terms.length; at++) {
    const ways = amounts.get(amountAt(fact.terms, at, measures) ?? "");
    const isTold = ways?.some(({ number, unit }) => number === fact.terms[at]?.key && unit === fact.terms[at + 1]?.key);
    const [way] = ways ?? [];
    if (way && !isTold) changed.set(at, way.number).set(at + 1, way.unit);
  }
  if (changed.size === 0) return fact;
  return { ...fact, terms: fact.terms.map((term, at) => ({ ...term, key: changed.get(at) ?? term.key })) };
}
