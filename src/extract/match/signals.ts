// Finds the declared signals of a rule set that a text gives by itself.
import type { Selector, Signal } from "../../rules/condition.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import { createVocabulary } from "./candidates.js";
import { occurs } from "./condition.js";
import { asksAround, isFor, outside } from "./selector.js";
import type { Subject } from "./subject.js";

export interface SignalIndex {
  readonly all: readonly Signal[];
  /** Undefined if it is not declared: then it depends on the session. */
  readonly number: (name: string) => number | undefined;
  readonly selector: (signal: number) => Selector;
  /** The signals that hold, and those that hold if the surrounding texts agree. */
  readonly in: (subject: Subject) => { readonly held: readonly number[]; readonly open: readonly number[] };
}

export function createSignals(all: readonly Signal[]): SignalIndex {
  const numbers = new Map(all.map(({ id }, number) => [id, number]));
  const open = all.map(({ in: selector }) => asksAround(selector));
  const needsNoWord = ({ match, regex }: Signal) =>
    regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0);
  const free = all.flatMap((signal, number) => (needsNoWord(signal) ? [number] : []));
  const worded = all.flatMap((signal, number) => (needsNoWord(signal) ? [] : [number]));
  const vocabulary = createVocabulary(worded.map((number) => all[number] as Signal));
  const selector = (number: number) => (all[number] as Signal).in;

  const freeFor = new Map<string, readonly number[]>();
  /** Many signals need no word, but each applies to few kinds of text. */
  function wordless({ source, segment }: Subject): readonly number[] {
    const key = `${source.role} ${segment.node}`;
    const own = freeFor.get(key) ?? free.filter((number) => isFor(selector(number), source, segment));
    freeFor.set(key, own);
    return own;
  }

  return {
    all,
    number: (name) => numbers.get(name),
    selector,
    in(subject) {
      const held: number[] = [];
      const asking: number[] = [];
      const listOf = (number: number) => (open[number] ? asking : held);
      for (const number of wordless(subject)) {
        const signal = all[number] as Signal;
        if (outside(signal.in, subject) === undefined && occurs(signal, subject)) listOf(number).push(number);
      }
      vocabulary(subject.words.folded, (condition, phrase) => {
        const number = worded[condition] as number;
        const signal = all[number] as Signal;
        if (listOf(number).includes(number) || outside(signal.in, subject) !== undefined) return;
        const holds = signal.unless.length > 0 ? occurs(signal, subject) : matchPhrase(phrase, subject.words) !== undefined;
        if (holds) listOf(number).push(number);
      });
      return { held, open: asking.length > 0 ? asking : NO_SIGNALS };
    },
  };
}

const NO_SIGNALS: readonly number[] = [];
