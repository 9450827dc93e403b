// The first pass of signals: those that packs declare. What a text says by itself is found first (local.ts); this checks the texts
// around it.

import type { Source } from "../../model.js";
import type { Selector, Signal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { occurs } from "./condition.js";
import { createLocal, type Local } from "./local.js";
import { asksAround, outside } from "./selector.js";
import type { Subject } from "./subject.js";

/** The declared signals of a rule set. Their index is built once. */
export const declaredFor = rememberFor(createDeclared);

function createDeclared(rules: RuleSet) {
  const signals = [...rules.signals.values()];
  const numbers = new Map(signals.map(({ id }, number) => [id, number]));

  const localOf = createLocal(rules, signals);

  /** The weight of each signal, by its number. */
  const tableOf = rememberFor((weights: ReadonlyMap<string, number>) => signals.map(({ id }) => weights.get(id) ?? 0));

  /** The sum of the weights of all signals that hold. */
  function sum(weights: ReadonlyMap<string, number>, subject: Subject): number {
    const table = tableOf(weights);
    const { held, open } = localOf(subject);
    let total = 0;
    for (const signal of held) total += table[signal] as number;
    for (const signal of open) if (table[signal] !== 0 && agrees(signal, subject)) total += table[signal] as number;
    return total;
  }

  /** Do the surrounding texts agree to a signal? They are the same for all texts of a source. */
  function agrees(signal: number, subject: Subject): boolean {
    const { around, source } = subject;
    if (!around) return false;
    const before = answerTo(around.answers[0], source, signal);
    return before ?? note(around.answers[0], source, signal, disagrees((signals[signal] as Signal).in, subject) === undefined);
  }

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

  const isDeclared = (name: string) => numbers.has(name);

  /** Does a declared signal hold? Checked one by one, because the surrounding texts are checked by signals too. */
  function says(subject: Subject, name: string): boolean {
    const signal = numbers.get(name);
    if (signal === undefined) return false;
    const local = localOf(subject);
    if (local !== marked) markAll(local);
    return marks[signal] === mark || (opened[signal] === mark && agrees(signal, subject));
  }

  /** The key of the selector that the surrounding texts do not meet; undefined if they meet all. */
  function disagrees({ opening, after, reply }: Selector, { around, source }: Subject): keyof Selector | undefined {
    /** Does a signal hold for any text of a source, or for one in its opening? */
    const isSaid = (other: Source | undefined, asked: readonly string[], texts: "opening" | "subjects") =>
      other !== undefined &&
      around !== undefined &&
      asked.some((name) => {
        const number = numbers.get(name);
        if (number === undefined) return false;
        const answers = around.answers[texts === "opening" ? 1 : 2];
        return (
          answerTo(answers, other, number) ??
          note(
            answers,
            other,
            number,
            around[texts](other).some((subject) => says(subject, name)),
          )
        );
      });
    if (opening && !isSaid(source, opening, "opening")) return "opening";
    if (reply && !isSaid(around?.reply(source), reply, "opening")) return "reply";
    if (after && !isSaid(around?.before(source), after, "subjects")) return "after";
    return undefined;
  }

  /** The key of the selector that does not hold; undefined if all hold. */
  const isOutside = (selector: Selector, subject: Subject) =>
    outside(selector, subject) ?? (asksAround(selector) ? disagrees(selector, subject) : undefined);

  /** Like `says`, for a text that is asked for little else and whose surroundings do not matter: tests only this signal. */
  function saysAlone(subject: Subject, name: string): boolean {
    const signal = rules.signals.get(name);
    return signal !== undefined && !asksAround(signal.in) && !outside(signal.in, subject) && occurs(signal, subject);
  }

  return { localOf, sum, says, saysAlone, isDeclared, outside: isOutside };
}

/** The answer to a question about a source, if it is known. There are few answers for each of many sources. */
function answerTo(answers: number[][], { ordinal }: Source, question: number): boolean | undefined {
  const known = answers[ordinal];
  if (known?.includes(question * 2 + 1)) return true;
  return known?.includes(question * 2) ? false : undefined;
}

function note(answers: number[][], { ordinal }: Source, question: number, answer: boolean): boolean {
  const known = answers[ordinal];
  if (known) known.push(question * 2 + Number(answer));
  else answers[ordinal] = [question * 2 + Number(answer)];
  return answer;
}
