// Selects the conditions that a text may meet: those that need no word, and those with a phrase whose words occur in it. Each
// word is looked up once, so many conditions cost little more than few.

import type { NodeType, Source } from "../../model.js";
import type { Condition } from "../../rules/condition.js";
import { literalsIn, mayMatch } from "../../rules/pattern/pattern.js";
import { mayHold, type Phrase } from "../../rules/phrase/phrase.js";
import type { Subject } from "../segments/subject.js";
import { type Check, checksOf, isFor, lengthOf } from "./condition.js";

export interface ConditionIndex {
  /** Calls `met` with the number of each condition that the text meets without any words, and `found` with each that it may meet,
   * with the phrase that may match, if it needs one. */
  readonly select: (
    subject: Subject,
    met: (condition: number) => void,
    found: (condition: number, phrase?: Phrase) => void,
  ) => void;
}

/** The conditions that the place of a text allows. */
interface Here {
  /** Those that hold by the place alone. */
  readonly held: readonly number[];
  /** Those that need no word, but something else of the text. */
  readonly wordless: readonly number[];
  /** By number: 1 if it is allowed. */
  readonly allowed: Uint8Array;
}

/** More word sets are rare and can be ignored: matching the phrase checks them. */
const SETS = 30;

export function createConditionIndex(conditions: readonly Condition[]): ConditionIndex {
  const checks = conditions.map(({ in: selector }) => checksOf(selector));
  const inText = checks.map((all) => all.filter(({ ofMessage }) => !ofMessage));
  const wordless = conditions.map((condition) => needsNoWord(condition));
  const silent = conditions.map((condition) => saysNothing(condition));
  const vocabulary = conditions.find(({ match }) => match.length > 0)?.match[0]?.vocabulary;
  /** Word → the numbers of the phrases that require it, each followed by the bit of its word set among those of the phrase. */
  const needs: (number[] | undefined)[] = [];
  /** By number: the phrase, its condition, its word sets as bits, the last text that was examined, and those it has a word of. */
  const phrases: Phrase[] = [];
  const conditionOf: number[] = [];
  const needed: number[] = [];
  for (const [condition, { match }] of conditions.entries())
    for (const phrase of wordless[condition] ? [] : match) {
      const sets = phrase.required.slice(0, SETS);
      for (const [set, words] of sets.entries())
        for (const word of words) {
          needs[word] ??= [];
          needs[word].push(phrases.length, 1 << set);
        }
      phrases.push(phrase);
      conditionOf.push(condition);
      needed.push((1 << sets.length) - 1);
    }
  const examined = new Uint32Array(phrases.length);
  const metSets = new Uint32Array(phrases.length);

  const bounds = conditions
    .flatMap(({ in: { message } }) => (message ? [message.min, message.max + 1] : []))
    .sort((a, b) => a - b);
  const places = new Map<string, Here>();
  // Texts of one source come one after the other.
  let last: Source | undefined;
  const inLast = new Map<NodeType, Here>();

  function hereOf(subject: Subject): Here {
    const { source, segment } = subject;
    if (source !== last) inLast.clear();
    last = source;
    const before = inLast.get(segment.node);
    if (before) return before;
    const length = lengthOf(source);
    const size = bounds.findLastIndex((bound) => bound <= length);
    const key = [segment.node, source.role, source.file, size, ...source.places].join(" ");
    const here = places.get(key) ?? toHere(subject);
    places.set(key, here);
    inLast.set(segment.node, here);
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
    const isFixed = (number: number) => saysNothing(conditions[number] as Condition) && inText[number]?.length === 0;
    const free = own.filter((number) => wordless[number]);
    return { held: free.filter(isFixed), wordless: free.filter((number) => !isFixed(number)), allowed };
  }

  let text = 0;
  return {
    select(subject, met, found) {
      const { held, wordless, allowed } = hereOf(subject);
      for (const number of held) met(number);
      for (const number of wordless)
        if (meets(inText[number], subject)) {
          if (silent[number]) met(number);
          else found(number);
        }
      if (!vocabulary) return;
      text++;
      const { numbers } = vocabulary.read(subject.words);
      for (let place = 0; place < numbers.length; place++) {
        const list = needs[numbers[place] as number];
        if (list === undefined) continue;
        for (let at = 0; at < list.length; at += 2) {
          const phrase = list[at] as number;
          const bit = list[at + 1] as number;
          const before = examined[phrase] === text ? (metSets[phrase] as number) : 0;
          if ((before & bit) !== 0) continue;
          examined[phrase] = text;
          metSets[phrase] = before | bit;
          if ((before | bit) !== needed[phrase]) continue;
          const condition = conditionOf[phrase] as number;
          if (allowed[condition] === 1 && meets(inText[condition], subject)) found(condition, phrases[phrase]);
        }
      }
    },
  };
}

/** Does a condition ask only where a text is? */
const saysNothing = ({ match, regex, unless }: Condition) => match.length + regex.length + unless.length === 0;

const needsNoWord = ({ match, regex }: Condition) =>
  regex.length > 0 || match.length === 0 || match.some(({ anchors }) => anchors.length === 0);

/** May a text meet a condition, wherever it stands? One that needs no word must apply to its role and node. */
export function mayMeet({ in: selector, match, regex }: Condition, { source, segment, words }: Subject): boolean {
  const isFree = match.length + regex.length === 0 || [...match, ...regex].some(({ anchors }) => anchors.length === 0);
  if (isFree) return isFor(selector, source, segment);
  const has = literalsIn(segment.text.toLowerCase());
  return match.some((phrase) => mayHold(phrase, words)) || regex.some((pattern) => mayMatch(pattern, segment.text, has));
}

function meets(checks: readonly Check[] | undefined, subject: Subject): boolean {
  if (checks) for (const { holds } of checks) if (!holds(subject)) return false;
  return true;
}
