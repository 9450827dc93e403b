// What a text says by itself: the signals that hold and the rules that match, before the surrounding texts are checked. Cached by
// text and place, because a long-running host compacts the same session again and again.

import type { Source } from "../../model.js";
import type { Signal } from "../../rules/condition.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import type { Cues, Rule, RuleSet } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import type { Subject } from "../segments/subject.js";
import { asksAround, occurs, outside, type Tested, testCondition } from "./condition.js";
import { createConditionIndex } from "./condition-index.js";

export interface Local {
  /** Signals that hold, by number. */
  readonly held: readonly number[];
  /** Signals that hold if the surrounding texts agree. */
  readonly open: readonly number[];
  /** Rules that match or are guarded, in their order. */
  readonly tested: readonly { readonly rule: Rule; readonly outcome: Tested }[];
  /** Cues that may reach their threshold. */
  readonly cues: readonly Cues[];
}

/** What texts say by themselves, by the rules of a set. Their index is built once. */
export const localFor = rememberFor(createLocal);

function createLocal(rules: RuleSet) {
  const signals = [...rules.signals.values()];
  const isOpen = signals.map(({ in: selector }) => asksAround(selector));
  const conditions = [...signals, ...rules.rules];
  const index = createConditionIndex(conditions);
  const numbers = new Map(signals.map(({ id }, number) => [id, number]));
  const reaches = rules.cues.map((cues) => ({
    cues,
    table: signals.map(({ id }) => cues.weights.get(id) ?? 0),
    /** The signals that exclude it, by number. */
    refusing: cues.not.flatMap((name) => numbers.get(name) ?? []),
  }));

  /** The cues that may reach their threshold. Most texts fall short even if all signals that depend on the session held. */
  function cuesInReach(subject: Subject, held: readonly number[], open: readonly number[]): readonly Cues[] {
    let found: Cues[] | undefined;
    for (const { cues, table, refusing } of reaches) {
      let most = cues.gain;
      for (const signal of held) most += table[signal] as number;
      for (const signal of open) most += Math.max(0, table[signal] as number);
      if (most < cues.least || refusing.some((signal) => held.includes(signal)) || outside(cues.in, subject) !== undefined)
        continue;
      found ??= [];
      found.push(cues);
    }
    return found ?? NO_CUES;
  }

  const localOf = rememberLocal((subject) => {
    const held: number[] = [];
    const open: number[] = [];
    /** The rules and guarded signals that may match, each with those of its phrases that may. */
    const tried = new Map<number, Phrase[] | undefined>();
    const meet = (condition: number) => {
      if (condition >= signals.length) tried.set(condition, undefined);
      else (isOpen[condition] ? open : held).push(condition);
    };
    index.select(subject, meet, (condition, phrase) => {
      const signal = signals[condition];
      if (!signal || (phrase && signal.unless.length > 0)) {
        const phrases = tried.get(condition);
        if (phrases && phrase) phrases.push(phrase);
        else tried.set(condition, phrase && [phrase]);
        return;
      }
      const list = isOpen[condition] ? open : held;
      if (phrase && list.includes(condition)) return;
      if (phrase ? matchPhrase(phrase, subject.words) !== undefined : occurs(signal, subject)) list.push(condition);
    });
    if (tried.size === 0) return { held, open, tested: NO_TESTED, cues: cuesInReach(subject, held, open) };
    const tested: { rule: Rule; outcome: Tested }[] = [];
    for (const [number, found] of tried) {
      const condition = conditions[number] as Signal | Rule;
      const phrases = found && found.length > 1 ? condition.match.filter((phrase) => found.includes(phrase)) : found;
      const outcome = testCondition(condition, subject, phrases);
      if (outcome.is === "no-match") continue;
      if (number >= signals.length) tested.push({ rule: condition as Rule, outcome });
      else if (outcome.is === "match") meet(number);
    }
    tested.sort((a, b) => a.rule.order - b.rule.order);
    return { held, open, tested, cues: cuesInReach(subject, held, open) };
  });

  /** Does a signal hold for a text that is asked for little else and whose surroundings do not matter? Tests only this signal. */
  function saysAlone(subject: Subject, name: string): boolean {
    const signal = rules.signals.get(name);
    return signal !== undefined && !asksAround(signal.in) && !outside(signal.in, subject) && occurs(signal, subject);
  }

  /** The weight of each signal, by its number. */
  const tableOf = rememberFor((weights: ReadonlyMap<string, number>) => signals.map(({ id }) => weights.get(id) ?? 0));

  return { signals, numbers, localOf, saysAlone, tableOf };
}

const NO_TESTED: Local["tested"] = [];

const NO_CUES: readonly Cues[] = [];

function rememberLocal(work: (subject: Subject) => Local): (subject: Subject) => Local {
  // Not `work` itself: the cache would keep every rule set in memory that was ever used.
  const own = {};
  return (subject) => {
    if (subject.local?.of === own) return subject.local.is as Local;
    const { memo } = subject;
    const place = sourceKey(subject.source);
    // The same text in another place is rare, so only the last place is cached.
    const known = memo?.local;
    const local = known?.of === own && known.place === place ? known : { of: own, place, is: work(subject) };
    if (memo) memo.local = local;
    subject.local = local;
    return local.is as Local;
  };
}

// Texts of one source come one after the other.
let last: { readonly source: Source; readonly place: string } | undefined;

/** Everything that a selector may check of a source besides its text. */
function sourceKey(source: Source): string {
  if (last?.source !== source)
    last = { source, place: [source.role, source.file ?? "", source.text.length, ...source.places].join(" ") };
  return last.place;
}
