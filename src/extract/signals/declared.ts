// The signals that packs declare. What a text says by itself is found first (local.ts); this checks the texts around it.

import type { Source } from "../../model.js";
import type { Selector, Signal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Subject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";
import { type Local, localFor } from "./local.js";
import { asksAround, outside } from "./selector.js";

/** What is asked of a source: do its surroundings agree to a signal, does its opening say one, does any of its texts? */
const [AGREES, OPENING, TEXTS] = [0, 1, 2];
const QUESTIONS = 3;

export interface Declared {
  readonly isDeclared: (name: string) => boolean;
  readonly says: (subject: Subject, name: string) => boolean;
  readonly sum: (weights: ReadonlyMap<string, number>, subject: Subject) => number;
  /** The key of the selector that does not hold; undefined if all hold. */
  readonly outside: (selector: Selector, subject: Subject) => keyof Selector | undefined;
}

export function createDeclared(rules: RuleSet, texts: SessionTexts): Declared {
  const { signals, numbers, localOf, tableOf } = localFor(rules);
  /** By the ordinal of a source, the answers that are the same for all its texts: twice the question, and one more for yes. */
  const answers: number[][] = [];

  // The signals of one text are asked for one after the other: those with the last mark hold, by number, and those with it in
  // `opened` hold if the surrounding texts agree.
  const [marks, opened] = [new Uint32Array(signals.length), new Uint32Array(signals.length)];
  let marked: Local | undefined;
  let mark = 0;

  function markAll(local: Local): void {
    marked = local;
    mark++;
    for (const signal of local.held) marks[signal] = mark;
    for (const signal of local.open) opened[signal] = mark;
  }

  /** Checked one by one, because the surrounding texts are checked by signals too. */
  function says(subject: Subject, name: string): boolean {
    const signal = numbers.get(name);
    if (signal === undefined) return false;
    const local = localOf(subject);
    if (local !== marked) markAll(local);
    return marks[signal] === mark || (opened[signal] === mark && agrees(signal, subject));
  }

  function sum(weights: ReadonlyMap<string, number>, subject: Subject): number {
    const table = tableOf(weights);
    const { held, open } = localOf(subject);
    let total = 0;
    for (const signal of held) total += table[signal] as number;
    for (const signal of open) if (table[signal] !== 0 && agrees(signal, subject)) total += table[signal] as number;
    return total;
  }

  function agrees(signal: number, { source }: Subject): boolean {
    const question = signal * QUESTIONS + AGREES;
    const { in: selector } = signals[signal] as Signal;
    return answerTo(source, question) ?? note(source, question, disagrees(selector, source) === undefined);
  }

  /** The key of the selector that the surrounding texts do not meet; undefined if they meet all. */
  function disagrees({ opening, after, reply }: Selector, source: Source): keyof Selector | undefined {
    if (opening && !isSaid(source, opening, OPENING)) return "opening";
    if (reply && !isSaid(texts.reply(source), reply, OPENING)) return "reply";
    if (after && !isSaid(texts.before(source), after, TEXTS)) return "after";
    return undefined;
  }

  /** Does one of the signals hold for any text of a source, or for one in its opening? */
  function isSaid(source: Source | undefined, asked: readonly string[], where: number): boolean {
    if (!source) return false;
    return asked.some((name) => {
      const signal = numbers.get(name);
      if (signal === undefined) return false;
      const question = signal * QUESTIONS + where;
      const subjects = () => (where === OPENING ? texts.opening : texts.subjects)(source);
      return (
        answerTo(source, question) ??
        note(
          source,
          question,
          subjects().some((subject) => says(subject, name)),
        )
      );
    });
  }

  function answerTo({ ordinal }: Source, question: number): boolean | undefined {
    const known = answers[ordinal];
    if (known?.includes(question * 2 + 1)) return true;
    return known?.includes(question * 2) ? false : undefined;
  }

  function note({ ordinal }: Source, question: number, answer: boolean): boolean {
    answers[ordinal] ??= [];
    answers[ordinal].push(question * 2 + Number(answer));
    return answer;
  }

  return {
    isDeclared: (name) => numbers.has(name),
    says,
    sum,
    outside: (selector, subject) =>
      outside(selector, subject) ?? (asksAround(selector) ? disagrees(selector, subject.source) : undefined),
  };
}
