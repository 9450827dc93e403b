// The declared signals of a rule set: which of them a text gives by itself.
import type { Source } from "../model.js";
import { matchPhrase } from "../rules/phrase-match.js";
import type { Selector, Signal } from "../rules/rule-set.js";
import { occurs } from "./condition.js";
import { isOpen } from "./local.js";
import { type Check, checksOf, isFor, outside } from "./selector.js";
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

/** A signal that needs no word. */
interface Free {
  readonly number: number;
  /** What is to be asked of a message, and of a text. */
  readonly ofSource: readonly Check[];
  readonly ofText: readonly Check[];
  /** What else must hold; undefined when that is all. */
  readonly says: ((subject: Subject) => boolean) | undefined;
}

/** For the texts of one sort in a message. */
interface FreeIn {
  /** Those that hold for all of them. */
  readonly held: readonly number[];
  readonly open: readonly number[];
  /** Those that have to be asked of each. */
  readonly left: readonly Free[];
}

export function createSignals(all: readonly Signal[]): Signals {
  const numbers = new Map(all.map(({ id }, number) => [id, number]));
  const open = all.map(({ in: selector }) => isOpen(selector));
  const needsNoWord = ({ match, regex }: Signal) =>
    regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0);
  const free = all.flatMap((signal, number) => (needsNoWord(signal) ? [number] : []));
  const worded = all.flatMap((signal, number) => (needsNoWord(signal) ? [] : [number]));
  const vocabulary = createVocabulary(worded.map((number) => all[number] as Signal));
  const selector = (number: number) => (all[number] as Signal).in;

  const bySort = new Map<string, readonly Free[]>();

  /** The signals that need no word, for this sort of text. */
  function freeFor({ source, segment }: Subject): readonly Free[] {
    const key = `${source.role} ${segment.node}`;
    const before = bySort.get(key);
    if (before) return before;
    const own = free.filter((number) => isFor(selector(number), source, segment));
    const made = own.map((number): Free => {
      const checks = checksOf(selector(number));
      return {
        number,
        ofSource: checks.filter(({ ofSource }) => ofSource),
        ofText: checks.filter(({ ofSource }) => !ofSource),
        says: sayerOf(all[number] as Signal),
      };
    });
    bySort.set(key, made);
    return made;
  }

  // Texts of a source come one behind the other.
  let last: { readonly source: Source; readonly known: Map<string, FreeIn> } | undefined;

  /** Those of them that hold for the message, and what is left to ask of its texts. */
  function freeIn(subject: Subject): FreeIn {
    const { source, segment } = subject;
    if (last?.source !== source) last = { source, known: new Map() };
    const { known } = last;
    const before = known.get(segment.node);
    if (before) return before;
    const here = freeFor(subject).filter((one) => allHold(one.ofSource, subject));
    const sure = here.filter(({ ofText, says }) => ofText.length === 0 && !says).map(({ number }) => number);
    const made: FreeIn = {
      held: sure.filter((number) => !open[number]),
      open: sure.filter((number) => open[number]),
      left: here.filter(({ ofText, says }) => ofText.length > 0 || says),
    };
    known.set(segment.node, made);
    return made;
  }

  return {
    all,
    number: (name) => numbers.get(name),
    selector,
    in(subject) {
      const free = freeIn(subject);
      const held: number[] = [...free.held];
      const asking: number[] = [...free.open];
      for (const { number, ofText, says } of free.left) {
        if (!allHold(ofText, subject) || (says && !says(subject))) continue;
        if (open[number]) asking.push(number);
        else held.push(number);
      }
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

/** How a signal that needs no word is told from a text; undefined when any text will do. */
function sayerOf(signal: Signal): ((subject: Subject) => boolean) | undefined {
  const { match, regex, unless } = signal;
  if (match.length > 0 || unless.length > 0) return (subject) => occurs(signal, subject);
  return regex.length === 0 ? undefined : ({ segment }) => regex.some((pattern) => pattern.occurs(segment.text));
}

function allHold(checks: readonly Check[], subject: Subject): boolean {
  for (const { holds } of checks) if (!holds(subject)) return false;
  return true;
}
