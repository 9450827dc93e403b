// The signals that need no word. Most of them ask about the message, or about the headings and the lead-in over a text, and few
// answers to that are ever given: what follows from each is worked out once.
import { REMEMBERED_TEXTS } from "../limits.js";
import type { Signal } from "../rules/rule-set.js";
import { occurs } from "./condition.js";
import { isOpen } from "./local.js";
import { type Check, checksOf, isFor } from "./selector.js";
import type { Subject } from "./subject.js";

interface Free {
  readonly number: number;
  readonly isOpen: boolean;
  /** What is to be asked of a message, of a stretch of its texts and of a text. */
  readonly checks: Readonly<Record<Check["of"], readonly Check[]>>;
  /** What else must hold; undefined when that is all. */
  readonly says: ((subject: Subject) => boolean) | undefined;
}

/** Where the answers about messages and stretches are known. */
interface Known {
  /** Those that hold, and those that hold if what stands around the text agrees. */
  readonly held: readonly number[];
  readonly open: readonly number[];
  /** Those that have to be asked of each text. */
  readonly left: readonly Free[];
}

/** What follows from where a text stands. */
type Following<T> = (subject: Subject) => T;

/** Takes what holds into two lists: what holds for sure, and what stands around the text must agree to. */
export type FreeSignals = (subject: Subject, held: number[], open: number[]) => void;

/** @param all each with its number */
export function createFreeSignals(all: ReadonlyMap<number, Signal>): FreeSignals {
  const bySort = new Map<string, Following<Following<Known>>>();

  function sortOf({ source, segment }: Subject): Following<Following<Known>> {
    const key = `${source.role} ${segment.node}`;
    const before = bySort.get(key);
    if (before) return before;
    const own = [...all]
      .filter(([, signal]) => isFor(signal.in, source, segment))
      .map(([number, signal]) => toFree(number, signal));
    const made = narrow(own, "source", (inSource) => narrow(inSource, "stretch", toKnown));
    bySort.set(key, made);
    return made;
  }

  // Texts of a stretch come one behind the other.
  let last: Subject | undefined;
  let known: Known = { held: [], open: [], left: [] };

  return (subject, held, open) => {
    if (!last || !isBeside(subject, last)) known = sortOf(subject)(subject)(subject);
    last = subject;
    held.push(...known.held);
    open.push(...known.open);
    for (const { number, isOpen, checks, says } of known.left)
      if (allHold(checks.text, subject) && (!says || says(subject))) (isOpen ? open : held).push(number);
  };
}

const isBeside = ({ source, segment }: Subject, last: Subject) =>
  source === last.source &&
  segment.node === last.segment.node &&
  segment.headings === last.segment.headings &&
  segment.lead === last.segment.lead;

function toFree(number: number, signal: Signal): Free {
  const checks = checksOf(signal.in);
  const about = (what: Check["of"]) => checks.filter((check) => check.of === what);
  return {
    number,
    isOpen: isOpen(signal.in),
    checks: { source: about("source"), stretch: about("stretch"), text: about("text") },
    says: sayerOf(signal),
  };
}

/** How a signal is told from a text; undefined when any text will do. */
function sayerOf(signal: Signal): Free["says"] {
  const { match, regex, unless } = signal;
  if (match.length > 0 || unless.length > 0) return (subject) => occurs(signal, subject);
  return regex.length === 0 ? undefined : ({ segment }) => regex.some((pattern) => pattern.occurs(segment.text));
}

/** @param then what is made of those that are left, once for each set of answers */
function narrow<T>(all: readonly Free[], what: Check["of"], then: (left: readonly Free[]) => T): Following<T> {
  const asked = all.filter(({ checks }) => checks[what].length > 0);
  const made = new Map<string, T>();
  return (subject) => {
    let failing = "";
    for (const [place, { checks }] of asked.entries()) if (!allHold(checks[what], subject)) failing += String.fromCharCode(place);
    const before = made.get(failing);
    if (before) return before;
    const gone = new Set([...failing].map((place) => asked[place.charCodeAt(0)]));
    const result = then(all.filter((one) => !gone.has(one)));
    if (made.size >= REMEMBERED_TEXTS) made.clear();
    made.set(failing, result);
    return result;
  };
}

function toKnown(all: readonly Free[]): Known {
  const isSure = ({ checks, says }: Free) => checks.text.length === 0 && !says;
  const sure = all.filter(isSure);
  return {
    held: sure.filter((one) => !one.isOpen).map(({ number }) => number),
    open: sure.filter((one) => one.isOpen).map(({ number }) => number),
    left: all.filter((one) => !isSure(one)),
  };
}

function allHold(checks: readonly Check[], subject: Subject): boolean {
  for (const { holds } of checks) if (!holds(subject)) return false;
  return true;
}
