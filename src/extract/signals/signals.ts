// The signals of a session, in two passes. First those that packs declare (declared.ts). Then those that need the conversation,
// once for each message of the user: what is pasted, quoted, disputed and picked. They ask for declared signals only, not for each
// other. What tools did with a text is looked up when it is asked for.

import type { Source } from "../../model.js";
import { DISPUTED, PASTED, QUOTED } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Subject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";
import { createDeclared, type Declared } from "./declared.js";
import { DEEDS, type Deeds } from "./deeds.js";
import { type Local, localFor } from "./local.js";
import { type Choice, PICK_STATES, type Pick, readChoice } from "./options.js";
import { pastedIn } from "./pasted.js";
import { isRepeated, type Quotes, quotesIn } from "./quotes.js";

export interface Signals {
  /** What a text says by itself. */
  readonly localOf: (subject: Subject) => Local;
  readonly holds: (subject: Subject, name: string) => boolean;
  /** The strength of a signal, from 0 to 1. */
  readonly strength: (subject: Subject, name: string) => number;
  /** The sum of the weights of all declared signals that hold. */
  readonly sum: Declared["sum"];
  /** The key of the selector that does not hold; undefined if all hold. */
  readonly outside: Declared["outside"];
  /** Did the user pick this option, or another one of the same message? */
  readonly pickOf: (subject: Subject) => Pick | undefined;
  readonly takenBy: (subject: Subject) => readonly Subject[];
  readonly texts: SessionTexts;
}

/** What needs the conversation, of one message of the user. */
type MessageSignals = Quotes & Choice & { readonly pasted: ReadonlySet<Subject> };

/** A signal with a degree counts as held from here on. */
const HALF = 0.5;

export function createSignals(rules: RuleSet, texts: SessionTexts, deeds: Deeds): Signals {
  const { isDeclared, says, sum, outside } = createDeclared(rules, texts);
  const columns = new Map<Source, MessageSignals>();

  function toColumns(source: Source): MessageSignals {
    const found: MessageSignals = {
      pasted: pastedIn(texts.subjects(source), says),
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
    localOf: localFor(rules).localOf,
    holds: (subject, name) => (isDeclared(name) ? says(subject, name) : degree(subject, name) >= HALF),
    strength: (subject, name) => (isDeclared(name) ? Number(says(subject, name)) : degree(subject, name)),
    sum,
    outside,
    pickOf,
    takenBy: (subject) => (subject.source.role === "user" ? columnsOf(subject.source).taken.get(subject) : undefined) ?? [],
    texts,
  };
}
