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
  /** What is to be asked of a message, of a stretch of texts and of a text. */
  readonly checks: Readonly<Record<Check["of"], readonly Check[]>>;
  /** What else must hold; undefined when that is all. */
  readonly says: ((subject: Subject) => boolean) | undefined;
}

/** Of the texts of one sort in a message that stand below the same headings and behind the same lead-in. */
interface FreeIn {
  readonly headings: readonly string[];
  readonly lead: string | undefined;
  /** Those that hold for all of them. */
  readonly held: readonly number[];
  readonly open: readonly number[];
  /** Those that have to be asked of each. */
  readonly left: readonly Free[];
}

/** Of the texts of one sort in a message. */
interface FreeOf {
  readonly here: readonly Free[];
  /** The texts come one behind the other. */
  last: FreeIn | undefined;
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
      const about = (what: Check["of"]) => checks.filter((check) => check.of === what);
      return {
        number,
        checks: { source: about("source"), stretch: about("stretch"), text: about("text") },
        says: sayerOf(all[number] as Signal),
      };
    });
    bySort.set(key, made);
    return made;
  }

  // Texts of a source come one behind the other.
  let last: { readonly source: Source; readonly known: Map<string, FreeOf> } | undefined;

  /** Those of them that may hold in the message. */
  function freeOf(subject: Subject): FreeOf {
    const { source, segment } = subject;
    if (last?.source !== source) last = { source, known: new Map() };
    const before = last.known.get(segment.node);
    if (before) return before;
    const made: FreeOf = { here: freeFor(subject).filter(({ checks }) => allHold(checks.source, subject)), last: undefined };
    last.known.set(segment.node, made);
    return made;
  }

  /** Those of them that hold where the text stands, and what is left to ask of it. */
  function freeIn(subject: Subject): FreeIn {
    const { headings, lead } = subject.segment;
    const own = freeOf(subject);
    if (own.last?.headings === headings && own.last.lead === lead) return own.last;
    const here = own.here.filter(({ checks }) => allHold(checks.stretch, subject));
    const sure = here.filter(({ checks, says }) => checks.text.length === 0 && !says).map(({ number }) => number);
    own.last = {
      headings,
      lead,
      held: sure.filter((number) => !open[number]),
      open: sure.filter((number) => open[number]),
      left: here.filter(({ checks, says }) => checks.text.length > 0 || says),
    };
    return own.last;
  }

  return {
    all,
    number: (name) => numbers.get(name),
    selector,
    in(subject) {
      const free = freeIn(subject);
      const held: number[] = [...free.held];
      const asking: number[] = [...free.open];
      for (const { number, checks, says } of free.left) {
        if (!allHold(checks.text, subject) || (says && !says(subject))) continue;
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
