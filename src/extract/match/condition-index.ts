// Selects the conditions that a text may meet: those that need no word, and those with a phrase whose words occur in it. Each
// word is looked up once, so many conditions cost little more than few.

import type { NodeType, Source } from "../../model.js";
import type { Condition } from "../../rules/condition.js";
import { mayMatch } from "../../rules/pattern/pattern.js";
import { mayHold, type Phrase } from "../../rules/phrase/phrase.js";
import { type Check, checksOf, isFor, lengthOf } from "./selector.js";
import type { Subject } from "./subject.js";

export interface ConditionIndex {
  /** Calls `found` with the number of each condition that the text may meet, and with its phrase that may match, if it needs one. */
  readonly select: (subject: Subject, found: (condition: number, phrase?: Phrase) => void) => void;
}

/** The conditions that the place of a text allows. */
interface Here {
  readonly wordless: readonly number[];
  /** By number: 1 if it is allowed. */
  readonly allowed: Uint8Array;
}

interface Need {
  readonly entry: Entry;
  /** The bit of this word set among those that the phrase requires. */
  readonly bit: number;
}

interface Entry {
  readonly condition: number;
  readonly phrase: Phrase;
  /** The required word sets, as bits. */
  readonly needed: number;
  /** The last text that was examined, and the word sets of which it has a word. */
  text: number;
  met: number;
}

/** More word sets are rare and can be ignored: matching the phrase checks them. */
const SETS = 30;

export function createConditionIndex(conditions: readonly Condition[]): ConditionIndex {
  const checks = conditions.map(({ in: selector }) => checksOf(selector));
  const inText = checks.map((all) => all.filter(({ ofMessage }) => !ofMessage));
  const wordless = conditions.map((condition) => needsNoWord(condition));
  const vocabulary = conditions.find(({ match }) => match.length > 0)?.match[0]?.vocabulary;
  const needs: (Need[] | undefined)[] = [];
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of wordless[condition] ? [] : match) {
      const sets = phrase.required.slice(0, SETS);
      const entry: Entry = { condition, phrase, needed: (1 << sets.length) - 1, text: 0, met: 0 };
      for (const [set, words] of sets.entries())
        for (const word of words) {
          needs[word] ??= [];
          needs[word].push({ entry, bit: 1 << set });
        }
    }

  const bounds = conditions
    .flatMap(({ in: { message } }) => (message ? [message.min, message.max + 1] : []))
    .sort((a, b) => a - b);
  const places = new Map<string, Here>();
  const known = new WeakMap<Source, Map<NodeType, Here>>();

  function hereOf(subject: Subject): Here {
    const { source, segment } = subject;
    const ofSource = known.get(source) ?? new Map<NodeType, Here>();
    known.set(source, ofSource);
    const before = ofSource.get(segment.node);
    if (before) return before;
    const length = lengthOf(source);
    const size = bounds.findLastIndex((bound) => bound <= length);
    const key = [segment.node, source.role, source.file, size, ...source.places].join(" ");
    const here = places.get(key) ?? toHere(subject);
    places.set(key, here);
    ofSource.set(segment.node, here);
    return here;
  }

  function toHere(subject: Subject): Here {
    const own = conditions.flatMap(({ in: selector }, number) => {
      const allows =
        isFor(selector, subject.source, subject.segment) &&
        meets(
          checks[number]?.filter(({ ofMessage }) => ofMessage),
          subject,
        );
      return allows ? [number] : [];
    });
    const allowed = new Uint8Array(conditions.length);
    for (const number of own) allowed[number] = 1;
    return { wordless: own.filter((number) => wordless[number]), allowed };
  }

  let text = 0;
  return {
    select(subject, found) {
      const { wordless, allowed } = hereOf(subject);
      for (const number of wordless) if (meets(inText[number], subject)) found(number);
      if (!vocabulary) return;
      text++;
      for (const word of vocabulary.read(subject.words).numbers)
        for (const { entry, bit } of (word > 0 && needs[word]) || NO_NEEDS) {
          if (entry.text !== text) {
            entry.text = text;
            entry.met = 0;
          }
          if ((entry.met & bit) !== 0) continue;
          entry.met |= bit;
          if (entry.met !== entry.needed || allowed[entry.condition] === 0 || !meets(inText[entry.condition], subject)) continue;
          found(entry.condition, entry.phrase);
        }
    },
  };
}

const NO_NEEDS: readonly Need[] = [];

const needsNoWord = ({ match, regex }: Condition) =>
  regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0);

/** May a text meet a condition, wherever it stands? One that needs no word must apply to its role and node. */
export function mayMeet({ in: selector, match, regex }: Condition, { source, segment, words }: Subject): boolean {
  const isFree = match.length + regex.length === 0 || [...match, ...regex].some(({ anchors }) => anchors.length === 0);
  if (isFree) return isFor(selector, source, segment);
  const lower = segment.text.toLowerCase();
  return match.some((phrase) => mayHold(phrase, words)) || regex.some((pattern) => mayMatch(pattern, segment.text, lower));
}

function meets(checks: readonly Check[] | undefined, subject: Subject): boolean {
  if (checks) for (const { holds } of checks) if (!holds(subject)) return false;
  return true;
}
