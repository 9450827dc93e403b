// Did the user allow a call? One of the last messages must say so in the user's own words, and what it allows must be what the
// guard is about.

import { extractInSteps } from "../extract/pipeline.js";
import { ownWordsBy, sentencesOf, withoutQuotations } from "../extract/signals/own-words.js";
import type { Message, Session } from "../model.js";
import type { AskedSignal } from "../rules/condition.js";
import type { Guard } from "../rules/guard.js";
import { ownRules } from "../rules/load-rules.js";
import type { RuleSet } from "../rules/rule-set.js";
import { atOnce } from "../steps.js";
import { rememberFor } from "../text/remember.js";
import type { Met } from "./match-guards.js";
import { nameThing, wordsOf } from "./name-thing.js";

/** The last messages of the user that count. */
const MESSAGES = 3;
/** An answer that holds a signal of a pack is short, unless it names what it is about. */
const ANSWER_WORDS = 5;
/** Characters of a message that are read: what allows a call is short. */
const CHARACTERS = 4_000;

const ALLOWS: AskedSignal = "user-allowed";
const ALLOWS_COMMAND: AskedSignal = "command-allowed";
const ANSWERS: AskedSignal = "answer-allows";
const AGREES: AskedSignal = "answer-agrees";
const ENDS: AskedSignal = "allowance-ends";
const REQUESTS: AskedSignal = "requests";
const ABOUT: Readonly<Record<"read" | "edit" | "delete" | "run", AskedSignal>> = {
  ...{ read: "about-reading", edit: "about-changing", delete: "about-deleting", run: "about-running" },
};

const isQuestion = (said: string) => said.endsWith("?");

/** The call is the work that a request asks for, so the message is no text to be answered. */
const AT_WORK = [""];

/** Are there as many messages of the user as can count? */
export const mayAllow = (messages: readonly Message[]): boolean => messages.filter(isUsers).length >= MESSAGES;

const isUsers = ({ role, text, meta, summary }: Message) => role === "user" && !meta && !summary && text.trim() !== "";

/** @param session its end is enough. Who types in it is known, or it is no session in which somebody types
 * @param spoke did the guard speak before? Then the last message may answer it without a name. */
export function createAllowance(session: Pick<Session, "messages" | "typed">, rules: RuleSet, spoke: (id: string) => boolean) {
  const typed = session.typed === false ? [] : session.messages.filter(isUsers);
  const last = typed.slice(-MESSAGES).map((message) => ({ ...message, text: message.text.slice(0, CHARACTERS), toolCalls: [] }));
  let found: ReturnType<typeof statementsOf> | undefined;
  const statementsOf = () =>
    atOnce(extractInSteps({ id: "guards", format: "neutral", messages: last }, withAllSignals(rules), { signals: true }))
      .statements;

  /** What the user said before the guard spoke is no answer to it. */
  function isAnswered({ id, say }: Guard): boolean {
    const place = session.messages.findLastIndex(isUsers);
    const speaks = ({ toolCalls }: Message) => toolCalls.some(({ output }) => output.includes(say));
    const isAfter = session.messages.slice(place).some(speaks) && !session.messages.slice(0, place).some(speaks);
    return spoke(id) && !isAfter;
  }

  return ({ guard, what, reads }: Met): boolean => {
    if (guard.unless.length === 0 || last.length === 0) return false;
    // A project may come from anyone, so it has no say in what the user's words mean.
    const { holds, ownText } = ownWordsBy(ownRules());
    const thing = nameThing(guard, what);
    const isAnswer = isAnswered(guard);
    const isAbout = deedsBeside(guard, reads);
    const others = guard.unless.filter((name) => name !== ALLOWS);
    if (others.length > 0) found ??= statementsOf();

    /** Does a signal of a pack hold in a sentence that names the thing, or in a short answer? */
    function holdsOther({ id }: Message, said: string, isNewest: boolean): boolean {
      if (others.length === 0) return false;
      const isShort = isNewest && isAnswer && wordsOf(said).length <= ANSWER_WORDS;
      if (!isShort && !thing.isIn(said)) return false;
      return (
        found?.some(
          ({ source, text, signals }) =>
            source === id && (said.includes(text) || text.includes(said)) && others.some((name) => (signals?.get(name) ?? 0) > 0),
        ) === true
      );
    }

    function allows(message: Message, said: string, isNewest: boolean): boolean {
      if (isQuestion(said)) return false;
      if (holdsOther(message, said, isNewest)) return true;
      if (!guard.unless.includes(ALLOWS)) return false;
      const named = withoutQuotations(thing.replaceIn(said));
      const loosely = withoutQuotations(thing.replaceIn(said, true));
      const isNamed = holds(ALLOWS, named) || (thing.isCommand && holds(ALLOWS_COMMAND, named));
      if (!isNamed && !(isNewest && isAnswer && [ANSWERS, AGREES].some((name) => holds(name, loosely)))) return false;
      // A verb may be the command itself: "drop it".
      return !isAbout.some((name) => holds(name, isNamed ? named : loosely));
    }

    /** undefined: it says nothing about the call. */
    function decides(message: Message, isNewest: boolean): boolean | undefined {
      const isAllowance = (said: string) => allows(message, said, isNewest);
      const own = sentencesOf(ownText(message.text, isAllowance, AT_WORK));
      const isBare = ({ said }: { readonly said: string }) => holds(AGREES, said) && !thing.isIn(said);
      const asksElse = own.some((one) => !isBare(one) && (isQuestion(one.said) || holds(REQUESTS, one.said)));
      const ends = ({ said }: { readonly said: string }) => holds(ENDS, thing.replaceIn(said));
      const from = sentencesOf(message.text).findLast(ends)?.start ?? -1;
      if (own.some((one) => one.start > from && isAllowance(one.said) && !(isBare(one) && asksElse))) return true;
      return from >= 0 || thing.isIn(message.text) ? false : undefined;
    }

    // The newest message that says something about it decides.
    for (const [index, message] of [...last].reverse().entries()) {
      const decision = decides(message, index === 0);
      if (decision !== undefined) return decision;
    }
    return false;
  };
}

/** Deeds that say nothing about those that the guard is for: who may read a file may not change it. */
function deedsBeside({ touches, paths, commands, has }: Guard, reads = false): readonly AskedSignal[] {
  const { read, edit, delete: deletes, run } = ABOUT;
  // Who may change a file may read it.
  if (reads) return [deletes, run];
  if (commands.length + has.length > 0) return [read, edit, deletes];
  if (paths.length === 0) return [];
  if (touches.includes("edit") || touches.length === 0) return [read, run];
  return touches.includes("delete") ? [read, edit, run] : [edit, deletes, run];
}

/** Only signals that count for the salience of a sentence are kept with it. Nothing is masked: it leaves this module nowhere, and
 * a mask of a project could take a word away that forbids. */
const withAllSignals = rememberFor((rules: RuleSet): RuleSet => {
  return { ...rules, redactions: [], salience: new Map([...rules.signals.keys()].map((name) => [name, 1])) };
});
