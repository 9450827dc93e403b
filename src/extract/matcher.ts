// What a rule set makes of a text: which rules match, which signals hold, what they add up to.
import type { Source } from "../model.js";
import { AIM, type Cues, PASTED, type Rule, type RuleSet, type Selector } from "../rules/rule-set.js";
import { createCandidates } from "./candidates.js";
import { judge, type Verdict } from "./condition.js";
import { CONTESTED, CONTESTS } from "./contested.js";
import { DEEDS, type Deed } from "./deeds.js";
import { isOpen, rememberLocal } from "./local.js";
import { OFFERS } from "./options.js";
import { outside } from "./selector.js";
import { createSignals } from "./signals.js";
import type { Subject } from "./subject.js";

const matchers = new WeakMap<RuleSet, Matcher>();

/** The index of a rule set is made once. */
export function matcherFor(rules: RuleSet): Matcher {
  const matcher = matchers.get(rules) ?? createMatcher(rules);
  matchers.set(rules, matcher);
  return matcher;
}

function createMatcher(rules: RuleSet) {
  const signals = createSignals([...rules.signals.values()]);
  const candidates = createCandidates(rules.rules);

  const localOf = rememberLocal((subject) => {
    const { held, open } = signals.in(subject);
    const verdicts: { rule: Rule; verdict: Verdict }[] = [];
    for (const { rule, phrases } of candidates(subject)) {
      if (outside(rule.in, subject) !== undefined) continue;
      const verdict = judge(rule, subject, phrases);
      if (verdict.is !== "no-match") verdicts.push({ rule, verdict });
    }
    return { held, open, verdicts, cues: cuesInReach(subject, held, open) };
  });

  const tables = new WeakMap<ReadonlyMap<string, number>, readonly number[]>();

  /** What each signal weighs, by its number. */
  function tableOf(weights: ReadonlyMap<string, number>): readonly number[] {
    const table = tables.get(weights) ?? signals.all.map(({ id }) => weights.get(id) ?? 0);
    tables.set(weights, table);
    return table;
  }

  const reaches = rules.cues.map((cues) => ({
    cues,
    table: tableOf(cues.weights),
    /** The signals that keep it out, by their numbers. */
    refusing: cues.not.flatMap((name) => signals.number(name) ?? []),
  }));

  /** Most texts fall short even if everything held for them that must be told from the session. */
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

  /** The weights of all signals that hold, added up. */
  function sum(weights: ReadonlyMap<string, number>, subject: Subject): number {
    const table = tableOf(weights);
    const { held, open } = localOf(subject);
    let total = 0;
    for (const signal of held) total += table[signal] as number;
    for (const signal of open) if (table[signal] !== 0 && agrees(signal, subject)) total += table[signal] as number;
    return total;
  }

  const answers = new WeakMap<Source, Map<number, boolean>>();

  /** Do the texts around agree to a signal? They are the same for all texts of a source. */
  function agrees(signal: number, subject: Subject): boolean {
    const own = answers.get(subject.source) ?? new Map<number, boolean>();
    answers.set(subject.source, own);
    const answer = own.get(signal) ?? disagrees(signals.selector(signal), subject) === undefined;
    own.set(signal, answer);
    return answer;
  }

  /** Does a signal hold? One by one, because what stands around is told by signals, too. */
  function holds(subject: Subject, name: string): boolean {
    if (subject.known) return subject.known.held.has(name);
    const signal = signals.number(name);
    if (signal === undefined) return degree(subject, name) >= HALF;
    const { held, open } = localOf(subject);
    return held.includes(signal) || (open.includes(signal) && agrees(signal, subject));
  }

  /** How much a signal holds, from 0 to 1. */
  const strength = (subject: Subject, name: string): number =>
    signals.number(name) === undefined ? degree(subject, name) : holds(subject, name) ? 1 : 0;

  const told = new WeakMap<Source, Map<string, boolean>>();

  /** Does a signal hold for any of the texts of a source, or of its first ones? */
  function saidIn(source: Source, name: string, texts: (source: Source) => readonly Subject[], where: string): boolean {
    const answers = told.get(source) ?? new Map<string, boolean>();
    told.set(source, answers);
    const key = `${where} ${name}`;
    const answer = answers.get(key) ?? texts(source).some((subject) => holds(subject, name));
    answers.set(key, answer);
    return answer;
  }

  /** The key of the selector that the texts around do not agree to; undefined when all do. */
  function disagrees({ opening, after, reply }: Selector, { around, source }: Subject): keyof Selector | undefined {
    const says = (other: Source | undefined, names: readonly string[], texts: "opening" | "subjects") =>
      other !== undefined && around !== undefined && names.some((name) => saidIn(other, name, around[texts], texts));
    if (opening && !says(source, opening, "opening")) return "opening";
    if (reply && !says(around?.reply(source), reply, "opening")) return "reply";
    if (after && !says(around?.before(source), after, "subjects")) return "after";
    return undefined;
  }

  /** The key of the selector that does not hold; undefined when all do. */
  const isOutside = (selector: Selector, subject: Subject) =>
    outside(selector, subject) ?? (isOpen(selector) ? disagrees(selector, subject) : undefined);

  /** Told by a text and its place alone. */
  const isClosed = (name: string) => {
    const signal = signals.number(name);
    return signal !== undefined && !isOpen(signals.selector(signal));
  };
  const asked = [...rules.rules.flatMap((rule) => [...rule.signals, ...rule.not]), ...rules.cues.flatMap(namesIn)];
  /** Is what signals ask of other texts told by those texts alone, near by? Else each text would hang on texts far away. */
  const isNear =
    !asked.includes(FAR) &&
    [...signals.all, ...rules.rules, ...rules.cues].every(({ in: { opening, after, reply } }) =>
      [...(opening ?? []), ...(after ?? []), ...(reply ?? [])].every(isClosed),
    ) &&
    (rules.options.length === 0 || signals.number(OFFERS) === undefined || isClosed(OFFERS)) &&
    (!rules.salience.has(CONTESTED) || signals.number(CONTESTS) === undefined || isClosed(CONTESTS));

  return { candidates, localOf, sum, holds, strength, outside: isOutside, isNear };
}

export type Matcher = ReturnType<typeof createMatcher>;

const NO_CUES: readonly Cues[] = [];
/** What any later edit may bring about. */
const FAR: Deed = "undone";
const namesIn = ({ weights, not }: Cues) => [...weights.keys(), ...not];

/** A signal that holds by degrees counts as held from here on. */
const HALF = 0.5;

/** A signal that is told from the whole session. */
function degree(subject: Subject, name: string): number {
  const { around } = subject;
  if (!around) return 0;
  const deed = DEEDS.find((one) => one === name);
  if (deed) return around.deeds.of(subject, deed);
  if (name === PASTED) return around.isPasted(subject) ? 1 : 0;
  if (name === AIM) return around.aims.of(subject) ? 1 : 0;
  return around.picks.of(subject)?.state === name ? 1 : 0;
}
