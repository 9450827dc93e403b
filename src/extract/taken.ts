// All that is asked of a source once its texts are read, as data that can be stored, and back. What hangs on its name or its place in
// the session is left out, so that it holds for the same text in any session.
import type { Evidence, Item, Kind, Source } from "../model.js";
import { PASTED, type RuleSet, TURNS } from "../rules/rule-set.js";
import type { Around } from "./around.js";
import { CORRECTS } from "./correct-items.js";
import { DROP_SIGNALS } from "./drop-items.js";
import type { Matcher } from "./matcher.js";
import { UPDATE_SIGNALS } from "./outdated.js";
import { ASIDE, marksOf, type PackedStatements, packStatements, toSegment, unpackStatements } from "./packed-statements.js";
import { renewSignals } from "./renew.js";
import { RETURNS } from "./repick.js";
import type { Near, Weighed } from "./salience.js";
import { evidenceAt, type Subject, toKnownSubject } from "./subject.js";
import { type Retraction, retractionIn } from "./take-back.js";
import { plainWords, topicOf } from "./topic.js";

export interface Taken {
  /** By the number of the text that gives them. */
  readonly items: ReadonlyMap<number, readonly Item[]>;
  readonly retractions: readonly Retraction[];
  /** What the user says. */
  readonly told: readonly Subject[];
  /** What of it takes something back; of the assistant, what owns up to an error. */
  readonly turns: readonly Subject[];
  /** Blocks that were read line by line. */
  readonly scanned: number;
  /** Every statement with what of its worth is told near by, where they are wanted. */
  readonly statements: readonly Weighed[];
}

export interface ToStore {
  readonly subjects: readonly Subject[];
  /** Of each text, */
  readonly items: readonly (readonly Item[])[];
  /** and undefined where it is no statement. */
  readonly near: readonly (Near | undefined)[];
  readonly scanned: number;
}

/** A source, and the one whose words may vouch for what it says. */
export interface Pair {
  readonly source: Source;
  readonly reply: Source | undefined;
}

/** Start, end and rule; 1 where it stands in the reply. */
type PackedEvidence = readonly [number, number, string, 1?];
interface PackedItem extends Omit<Item, "evidence" | "also"> {
  readonly evidence: PackedEvidence;
  readonly also: readonly PackedEvidence[];
}
/** Start, end, marks, signals by their numbers, terms, and the text where it is not the source's own. */
type PackedText = readonly [number, number, number, readonly number[], string, string?];
/** Nothing at all where there is nothing. */
type Packed = readonly [
  (readonly (readonly [number, ...PackedItem[]])[])?,
  (readonly (readonly [number, boolean])[])?,
  (readonly PackedText[])?,
  number?,
  // Of statements, which are not always wanted and would be parsed for nothing.
  string?,
];

export interface Packing {
  /** Undefined when it cannot be packed. */
  readonly pack: (pair: Pair, taken: ToStore) => Packed | undefined;
  /** Undefined when it is nothing that was packed. */
  readonly unpack: (pair: Pair, packed: unknown) => Taken | undefined;
}

/** @param weighs whether statements are wanted */
export function createPacking(rules: RuleSet, matcher: Matcher, around: Around, weighs: boolean): Packing {
  const names = [...new Set([TURNS, CORRECTS, PASTED, ...UPDATE_SIGNALS, ...DROP_SIGNALS, RETURNS, ...renewSignals(rules)])];
  const isPlain = plainWords(rules);
  const sets = new Map<string, ReadonlySet<string>>();

  /** Few combinations of signals occur. */
  function setOf(held: readonly number[]): ReadonlySet<string> {
    const key = held.join();
    const set = sets.get(key) ?? new Set(held.map((number) => names[number] as string));
    sets.set(key, set);
    return set;
  }

  function packText(subject: Subject): PackedText | undefined {
    const { segment, source } = subject;
    const { start, end, text } = segment;
    const held = names.flatMap((name, number) => (matcher.holds(subject, name) ? [number] : []));
    const marks = marksOf(segment);
    if (marks & ASIDE && source.role === "user" && !held.includes(names.indexOf(TURNS))) return undefined;
    const terms = topicOf(text, isPlain).terms.join(" ");
    return source.text.slice(start, end) === text ? [start, end, marks, held, terms] : [start, end, marks, held, terms, text];
  }

  return {
    pack(pair, { subjects, items, near, scanned }) {
      const given: [number, ...PackedItem[]][] = [];
      for (const [number, list] of items.entries()) {
        if (list.length === 0) continue;
        const packed = list.map((item) => packItem(item, pair));
        if (!packed.every((one) => one !== undefined)) return undefined;
        given.push([number, ...packed]);
      }
      const retractions = subjects.flatMap((subject) => {
        const found = retractionIn(subject, matcher);
        return found ? [[found.start, found.earlier] as const] : [];
      });
      const isUser = pair.source.role === "user";
      const asked = isUser ? subjects : subjects.filter((subject) => matcher.holds(subject, CORRECTS));
      const texts = asked.flatMap((subject) => someOf(packText(subject)));
      if (subjects.length + scanned === 0) return NO_PACKED;
      const statements = packStatements(
        pair.source,
        subjects.map((subject, number) => ({ subject, near: near[number] })),
      );
      return [given, retractions, texts, scanned, JSON.stringify(statements)];
    },
    unpack(pair, packed) {
      try {
        const [given = NONE, retractions = NONE, texts = NONE, scanned = 0, statements = "[]"] = packed as Packed;
        const { source } = pair;
        const items =
          given.length === 0
            ? NO_ITEMS
            : new Map(given.map(([number, ...list]) => [number, list.map((item) => unpackItem(item, pair))]));
        const told: Subject[] = [];
        const turns: Subject[] = [];
        for (const [start, end, marks, held, terms, own] of texts) {
          const known = { held: setOf(held), terms: () => (terms === "" ? NONE : terms.split(" ")) };
          const segment = toSegment(marks, own ?? source.text.slice(start, end), start, end);
          const subject = toKnownSubject(source, segment, known);
          if (source.role !== "user") turns.push(subject);
          else {
            if ((marks & ASIDE) === 0) told.push(subject);
            if (known.held.has(TURNS)) turns.push(subject);
          }
        }
        return {
          items,
          retractions:
            retractions.length === 0 ? NONE : retractions.map(([start, earlier]) => ({ source: source.id, start, earlier })),
          told,
          turns,
          scanned,
          statements: weighs
            ? unpackStatements(source, JSON.parse(statements) as PackedStatements, around, told, (number) =>
                kindsOf(items.get(number) ?? NONE),
              )
            : NONE,
        };
      } catch {
        return undefined;
      }
    },
  };
}

const NONE: readonly never[] = [];
const NO_PACKED: Packed = [];
const NO_ITEMS: ReadonlyMap<number, readonly Item[]> = new Map();
const someOf = <T>(one: T | undefined): readonly T[] => (one === undefined ? [] : [one]);

const NO_KINDS: readonly Kind[] = [];
export const kindsOf = (items: readonly Item[]): readonly Kind[] =>
  items.length === 0 ? NO_KINDS : [...new Set(items.map(({ kind }) => kind))];

function packItem(item: Item, pair: Pair): PackedItem | undefined {
  const evidence = packEvidence(item.evidence, pair);
  const also = item.also.flatMap((one) => someOf(packEvidence(one, pair)));
  return evidence && also.length === item.also.length ? { ...item, evidence, also } : undefined;
}

function packEvidence(evidence: Evidence, { source, reply }: Pair): PackedEvidence | undefined {
  const { start, end, rule, quote } = evidence;
  // An output may be two sources, of which each holds only what one of them says.
  const isIn = (one: Source | undefined) =>
    one !== undefined && one.id === evidence.source && one.tool === evidence.tool && one.text.slice(start, end) === quote;
  if (isIn(source)) return [start, end, rule];
  return isIn(reply) ? [start, end, rule, 1] : undefined;
}

const unpackItem = (item: PackedItem, pair: Pair): Item => ({
  ...item,
  evidence: unpackEvidence(item.evidence, pair),
  also: item.also.map((one) => unpackEvidence(one, pair)),
});

const unpackEvidence = ([start, end, rule, other]: PackedEvidence, { source, reply }: Pair): Evidence =>
  evidenceAt((other ? reply : source) as Source, start, end, rule);
