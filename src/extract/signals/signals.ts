// The signals of a session's texts. What a text says by itself is found first (local.ts). This checks the texts around it, and what
// needs the conversation, once for each message of the user: what is pasted, quoted, disputed and picked. That asks for declared
// signals only. What tools did with a text is looked up.
//
// All of it is found when a rule first asks: the facts of a message depend on its reply, and so on the texts of a later message.

import type { Source } from "../../model.js";
import { DISPUTED, PASTED, QUOTED, type Selector, type Signal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Subject } from "../segments/subject.js";
import { type SessionTexts, type TextOptions, toTexts } from "../segments/texts.js";
import { asksAround, outside } from "./condition.js";
import { DEEDS, type Deeds } from "./deeds.js";
import { type Local, localFor } from "./local.js";
import { type Choice, PICK_STATES, type Pick, readChoice } from "./options.js";
import { isRepeated, pastedIn, type Quotes, quotesIn } from "./pasted-and-quoted.js";

export interface Signals {
  /** What a text says by itself. */
  readonly localOf: (subject: Subject) => Local;
  readonly holds: (subject: Subject, name: string) => boolean;
  /** The strength of a signal, from 0 to 1. */
  readonly strength: (subject: Subject, name: string) => number;
  /** The sum of the weights of all declared signals that hold. */
  readonly sum: (weights: ReadonlyMap<string, number>, subject: Subject) => number;
  /** The key of the selector that does not hold; undefined if all hold. */
  readonly outside: (selector: Selector, subject: Subject) => keyof Selector | undefined;
  /** Did the user pick this option, or another one of the same message? */
  readonly pickOf: (subject: Subject) => Pick | undefined;
  readonly takenBy: (subject: Subject) => readonly Subject[];
  readonly texts: SessionTexts;
}

/** What needs the conversation, of one message of the user. */
type MessageSignals = Quotes & Choice & { readonly pasted: ReadonlySet<Subject> };

/** A signal with a degree counts as held from here on. */
const HALF = 0.5;

export function createSignals(sources: readonly Source[], rules: RuleSet, deeds: Deeds, options: TextOptions): Signals {
  const texts = toTexts(sources, rules, options);
  const { localOf } = localFor(rules);
  const { isDeclared, says, ...declared } = createDeclared(rules, texts);
  const columns = new Map<Source, MessageSignals>();

  function toColumns(source: Source): MessageSignals {
    const found: MessageSignals = {
      pasted: pastedIn(texts.subjects(source), rules, says),
      ...quotesIn(source, rules, texts, says),
      ...readChoice(source, rules.options, texts, says),
    };
    columns.set(source, found);
    return found;
  }
  const columnsOf = (source: Source) => columns.get(source) ?? toColumns(source);

  /** The signals of the message that a text is in, if the user typed it. */
  const typed = ({ source }: Subject) => (source.role === "user" && source.tool === undefined ? columnsOf(source) : undefined);
  /** The signals of the user's reply to the message that a text is in. */
  const replied = ({ source }: Subject) => {
    const reply = source.role === "assistant" ? texts.reply(source) : undefined;
    return reply && columnsOf(reply);
  };

  const pickOf = (subject: Subject) => (rules.options.length > 0 ? replied(subject)?.picks.get(subject) : undefined);
  const degrees = new Map<string, (subject: Subject) => number | boolean | undefined>([
    ...DEEDS.map((deed) => [deed, (subject: Subject) => deeds.of(subject, deed)] as const),
    [PASTED, (subject) => typed(subject)?.pasted.has(subject)],
    [QUOTED, (subject) => typed(subject)?.quoted.has(subject)],
    [DISPUTED, (subject) => typed(subject)?.rebuffs.has(subject) ?? isRepeated(subject, replied(subject)?.disputed)],
    ...PICK_STATES.map((state) => [state, (subject: Subject) => pickOf(subject)?.state === state] as const),
  ]);
  const degree = (subject: Subject, name: string) => Number(degrees.get(name)?.(subject) ?? 0);

  return {
    ...declared,
    localOf,
    holds: (subject, name) => (isDeclared(name) ? says(subject, name) : degree(subject, name) >= HALF),
    strength: (subject, name) => (isDeclared(name) ? Number(says(subject, name)) : degree(subject, name)),
    pickOf,
    takenBy: (subject) => (subject.source.role === "user" ? columnsOf(subject.source).taken.get(subject) : undefined) ?? [],
    texts,
  };
}

/** What is asked of a source: do its surroundings agree to a signal, does its opening say one, does any of its texts? */
const [AGREES, OPENING, TEXTS] = [0, 1, 2];
const QUESTIONS = 3;

/** The signals that packs declare. */
function createDeclared(rules: RuleSet, texts: SessionTexts) {
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
    if (opening && !anyHolds(source, opening, OPENING)) return "opening";
    if (reply && !anyHolds(texts.reply(source), reply, OPENING)) return "reply";
    if (after && !anyHolds(texts.before(source), after, TEXTS)) return "after";
    return undefined;
  }

  /** Does one of the signals hold for any text of a source, or for one in its opening? */
  function anyHolds(source: Source | undefined, asked: readonly string[], where: number): boolean {
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
    isDeclared: (name: string) => numbers.has(name),
    says,
    sum,
    outside: (selector: Selector, subject: Subject) =>
      outside(selector, subject) ?? (asksAround(selector) ? disagrees(selector, subject.source) : undefined),
  };
}
