// The declared signals of a rule set: which of them a text gives by itself.
import { matchPhrase } from "../rules/phrase-match.js";
import type { Selector, Signal } from "../rules/rule-set.js";
import { occurs } from "./condition.js";
import { createFreeSignals } from "./free-signals.js";
import { isOpen } from "./local.js";
import { outside } from "./selector.js";
import type { Subject } from "./subject.js";
import { createVocabulary } from "./vocabulary.js";

export interface Signals {
  readonly all: readonly Signal[];
  /** Undefined for what is not declared: that is told from the session. */
  readonly number: (name: string) => number | undefined;
  readonly selector: (signal: number) => Selector;
  /** The signals that hold, and those that hold if what stands around the text agrees. */
  readonly in: (subject: Subject) => { readonly held: readonly number[]; readonly open: readonly number[] };
}

export function createSignals(all: readonly Signal[]): Signals {
  const numbers = new Map(all.map(({ id }, number) => [id, number]));
  const open = all.map(({ in: selector }) => isOpen(selector));
  const needsNoWord = ({ match, regex }: Signal) =>
    regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0);
  const free = createFreeSignals(new Map([...all.entries()].filter(([, signal]) => needsNoWord(signal))));
  const worded = all.flatMap((signal, number) => (needsNoWord(signal) ? [] : [number]));
  const vocabulary = createVocabulary(worded.map((number) => all[number] as Signal));
  const selector = (number: number) => (all[number] as Signal).in;

  return {
    all,
    number: (name) => numbers.get(name),
    selector,
    in(subject) {
      const held: number[] = [];
      const asking: number[] = [];
      free(subject, held, asking);
      vocabulary(subject.words.folded, (condition, phrase, met) => {
        const number = worded[condition] as number;
        const signal = all[number] as Signal;
        const list = open[number] ? asking : held;
        if (list.includes(number) || outside(signal.in, subject) !== undefined) return;
        const holds =
          signal.unless.length > 0 ? occurs(signal, subject) : met || matchPhrase(phrase, subject.words) !== undefined;
        if (holds) list.push(number);
      });
      return { held, open: asking.length > 0 ? asking : NO_SIGNALS };
    },
  };
}

const NO_SIGNALS: readonly number[] = [];
